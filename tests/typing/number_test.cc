// A number is typed as an answer, key by key, without the mouse.
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

}  // namespace
}  // namespace warpshop::ui
