// A number is typed as an answer, key by key, without the mouse.
#include "draw/spots.h"
#include "typing/typist.h"
#include "window/predict_lab.h"

namespace warpshop::ui {
namespace {

class NumberTest : public TypingTest {
 protected:
  void SetUp() override {
    TypingTest::SetUp();
    add_predict_lab();
  }
  // Presses Tab until a field has the keyboard.
  void tab_into_a_field() {
    for (int tabs = 0; tabs < 40; ++tabs) {
      type("<Tab>");
      if (ImGui::GetIO().WantTextInput) return;
    }
    ADD_FAILURE() << "no field is reached by Tab";
  }
  const lab::StepProgress& progress() {
    return *app().session().progress_of(*app().session().step());
  }
};

TEST_F(NumberTest, TheAnswersAreTypedAndTheRestOfTheKeyboardWorks) {
  open("predict", "scale");
  const std::string code = text();
  type("<Ctrl+1>");
  tab_into_a_field();
  type("nonsense<Enter>");
  EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "the typing goes on after a mistake";
  type("<Ctrl+A>1,024<Enter>");
  ASSERT_NE(app().session().progress_of(*app().session().step()), nullptr);
  EXPECT_EQ(progress().numbers.at(0), 1024);
  // Return goes on to the next question, Tab to the estimate after the choices.
  EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "the next field waits for its number";
  type("12.5<Enter>");
  EXPECT_EQ(progress().numbers.at(1), 12.5);
  tab_into_a_field();
  type("3<Enter>");
  EXPECT_EQ(progress().estimate, 3);
  EXPECT_EQ(text(), code) << "nothing was typed into the kernel";
  // Alt+N leaves the field for the next step.
  type("<Alt+N>");
  EXPECT_EQ(app().session().place(), "predict/halve");
  keep_picture("typed-number");
}

// The line below the text says how many questions are left; a click on it leads to the first.
TEST_F(NumberTest, AClickOnTheLineOfQuestionsStartsTheTyping) {
  open("coalescing", "stride");
  const std::optional<Spot> line = find_spot("question");
  ASSERT_TRUE(line);
  click_at({(line->min.x + line->max.x) / 2, (line->min.y + line->max.y) / 2});
  for (int frame = 0; frame < 12; ++frame) app().frame(false);
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  type("96<Enter>");
  EXPECT_EQ(progress().numbers.at(0), 96);
}

}  // namespace
}  // namespace warpshop::ui
