// A user's own lab in the window: it is reread while it is being written, and nobody has to leave a
// step.
#include <algorithm>
#include <filesystem>

#include "core/files.h"
#include "lab/new_lab.h"
#include "text/text.h"
#include "text_check.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

class OwnLabTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    const auto files = lab::create_lab(lab::lab_places(), lab::new_labs_folder(), "votes", "Votes");
    ASSERT_TRUE(files.ok()) << render(files.errors());
  }
  // Changes one place in a file of the lab, like its author.
  void change(const std::string& file, const std::string& from, const std::string& to) const {
    const std::filesystem::path path = home() / "labs/votes" / file;
    std::string text = read_file(path).value();
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    ASSERT_TRUE(write_file_atomically(path, text.replace(at, from.size(), to)).ok());
  }
  const lab::Step& step() { return *app().session().step(); }
  // The notice for `place`, or null.
  const Toast* notice_at(const std::string& place) {
    for (const Toast& toast : app().notices()) {
      if (toast.place.ends_with(place)) return &toast;
    }
    return nullptr;
  }
};

TEST_F(OwnLabTest, ItFollowsItsFilesAndKeepsTheStudentsTextAndPlace) {
  open("votes", "neighbours");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::Run{});
    wait_for_result(ctx);
    const std::string mine = "// mine\n" + app().session().text();
    app().send(command::EditText{mine});
    wait_for_result(ctx);
    change("lab.toml", "title = \"Neighbours take neighbours\"", "title = \"Side by side\"");
    IM_CHECK(wait_until(ctx, [&] { return step().title == "Side by side"; }));
    IM_CHECK_STR_EQ(app().session().text().c_str(), mine.c_str());
    IM_CHECK(app().view().prepared != nullptr);  // its results are still there
    change("neighbours.md", "What to change, and", "Ask for whole sectors:");
    IM_CHECK(
        wait_until(ctx, [&] { return step().text.find("whole sectors") != std::string::npos; }));
    // A stricter check applies to the text at once.
    change("lab.toml", "at_most = \"5\"", "at_most = \"3\"");
    IM_CHECK(wait_until(ctx, [&] { return step().exercise->checks[0].at_most == "3"; }));
    IM_CHECK_STR_EQ(app().session().place().c_str(), "votes/neighbours");
    IM_CHECK_STR_EQ(app().session().text().c_str(), mine.c_str());
  });
}

TEST_F(OwnLabTest, AMistakeIsToldWithItsPlaceAndTheLabGoesOn) {
  open("votes", "neighbours");
  walk([this](ImGuiTestContext* ctx) {
    change("lab.toml", "kernel = \"twice\"", "kernle = \"twice\"");
    const std::string toml = read_file(home() / "labs/votes/lab.toml").value();
    const auto line =
        std::count(toml.begin(), toml.begin() + static_cast<std::ptrdiff_t>(toml.find("kernle")),
                   '\n') +
        1;
    const std::string place = "votes/lab.toml:" + std::to_string(line) + ":1";
    IM_CHECK(wait_until(ctx, [&] { return notice_at(place) != nullptr; }));
    IM_CHECK(notice_at(place)->text.find("kernle") != std::string::npos);
    IM_CHECK(notice_at(place)->help.find("solution_note") !=
             std::string::npos);  // names the valid keys
    IM_CHECK_STR_EQ(app().session().place().c_str(), "votes/neighbours");
    IM_CHECK_STR_EQ(step().exercise->kernel.c_str(), "twice");  // as before the mistake
    IM_CHECK(is_drawn(ctx, place));
    change("lab.toml", "kernle", "kernel");
    IM_CHECK(wait_until(ctx, [&] { return notice_at(place) == nullptr; }));
  });
}

TEST_F(OwnLabTest, ALabThatIsNewAppearsByItself) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    const auto has = [&](const char* id) {
      for (const lab::Lab& lab : app().view().labs->labs) {
        if (lab.id == id) return lab.own;
      }
      return false;
    };
    IM_CHECK(has("votes"));
    const auto files = lab::create_lab(lab::lab_places(), lab::new_labs_folder(), "later", "Later");
    IM_CHECK(files.ok());
    IM_CHECK(wait_until(ctx, [&] { return has("later"); }));
    IM_CHECK_STR_EQ(app().session().place().c_str(), "coalescing/stride");
  });
}

// When the window opens, there is no folder of labs yet.
TEST_F(WindowTest, TheFirstLabOfOnesOwnAppearsByItself) {
  open("coalescing", "stride");
  const size_t before = app().view().labs ? app().view().labs->labs.size() : 0;
  walk([&, this](ImGuiTestContext* ctx) {
    const auto files = lab::create_lab(lab::lab_places(), lab::new_labs_folder(), "first", "First");
    IM_CHECK(files.ok());
    IM_CHECK(wait_until(ctx, [&] {
      return app().view().labs->labs.size() > before && app().view().labs->labs.back().own;
    }));
  });
}

// A mistake in a lab's file concerns its author, not the class: its notice waits until the lecture
// is over.
TEST_F(OwnLabTest, NoticesAboutFilesAreNotShownToAClass) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    change("lab.toml", "title = \"Votes\"", "title = 7");
    IM_CHECK(wait_until(ctx, [&] { return notice_at("lab.toml:5:9") != nullptr; }));
    const auto shown = [&] { return is_drawn(ctx, "votes/lab.toml"); };
    IM_CHECK(shown());
    app().send(command::GiveLecture{"coalescing"});
    ctx->Yield(4);
    IM_CHECK(app().lecture().on());
    IM_CHECK(!shown());
    app().send(command::GiveLecture{});
    ctx->Yield(4);
    IM_CHECK(shown());
  });
}

// The author rehearses: the slide follows the file, at the same scene, and the answer stays as it
// was.
TEST_F(OwnLabTest, ALectureFollowsItsScript) {
  open("votes", "neighbours");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::GiveLecture{});
    ctx->Yield(8);
    app().send(command::GoToScene{1});
    wait_for_result(ctx);
    app().send(command::Advance{});
    ctx->Yield(3);
    const auto said = [this](const char* part) {
      return std::any_of(app().notices().begin(), app().notices().end(), [&](const Toast& toast) {
        return toast.text.find(part) != std::string::npos;
      });
    };
    change("demo.toml", "answer = \"4, the ideal.\"", "answer = \"Only 4.\"");
    IM_CHECK(wait_until(ctx, [&] { return app().lecture().current().answer == "Only 4."; }));
    IM_CHECK_EQ(app().lecture().scene, 1U);
    IM_CHECK(!app().lecture().hidden());
    IM_CHECK(said("read again"));
    change("demo.toml", "answer = \"Only 4.\"", "answr = \"4\"");
    IM_CHECK(wait_until(ctx, [&] { return said("demo.toml:"); }));
    IM_CHECK(said("answr"));
    IM_CHECK_STR_EQ(app().lecture().current().answer.c_str(), "Only 4.");
    change("demo.toml", "answr = \"4\"", "answer = \"Four.\"");
    IM_CHECK(wait_until(ctx, [&] { return app().lecture().current().answer == "Four."; }));
    app().send(command::GiveLecture{});
    ctx->Yield(6);
    IM_CHECK(!app().lecture().on());
    IM_CHECK_STR_EQ(app().session().place().c_str(), "votes/neighbours");
  });
}

TEST_F(OwnLabTest, AStepThatWasRemovedLeavesItsTextOnTheDisk) {
  open("votes", "neighbours");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::EditText{"// mine\n"});
    std::filesystem::remove(lab::new_labs_folder() /
                            "votes/demo.toml");  // its scenes refer to the step
    change("lab.toml", "id = \"neighbours\"", "id = \"side-by-side\"");
    IM_CHECK(wait_until(ctx, [&] { return app().session().place() != "votes/neighbours"; }));
    IM_CHECK_STR_EQ(app().session().lab()->id.c_str(), "votes");
    IM_CHECK_STR_EQ(read_file(home() / "work/votes/neighbours.cu").value().c_str(), "// mine\n");
  });
}

// A kernel of a program becomes a lab with the values proposed by the dialog; an invalid field
// keeps the dialog open with a message.
TEST_F(WindowTest, AKernelOfAProgramIsOpened) {
  const std::filesystem::path file = home() / "program.cu";
  ASSERT_TRUE(
      write_file_atomically(
          file,
          "#include <vector>\n__global__ void twice(const float* in, float* out, int n) {\n"
          "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = 2 * in[i];\n}\n"
          "int main() { std::vector<float> v(4); twice<<<1, 4>>>(v.data(), v.data(), 4); }\n")
          .ok());
  open("coalescing", "stride");
  walk([&, this](ImGuiTestContext* ctx) {
    app().send(command::OpenOwnKernel{file.string()});
    ctx->Yield(4);
    ctx->ItemInputValue("**/##n", "none");
    ctx->ItemClick("**/Run it##run");
    ctx->Yield(4);
    const std::vector<DrawnText> texts = texts_of_frame(ctx);
    const auto drawn = [&](const char* part) {
      return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) {
        return text.text.find(part) != std::string::npos;
      });
    };
    IM_CHECK(drawn("a whole number from 1"));
    IM_CHECK(drawn("(line 6)"));  // of the launch, which has the numbers
    IM_CHECK_STR_EQ(app().session().place().c_str(), "coalescing/stride");
    ctx->ItemInputValue("**/##n", "10000");  // Enter in a field runs it
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().session().place().c_str(), "program-twice/kernel");
    wait_for_result(ctx);
    IM_CHECK(app().view().latest->result.passed);
    IM_CHECK_EQ(app().view().result()->student()->grid.x,
                2500u);  // blocks of 4 threads, as in the program
    // The edited kernel is compared with the original.
    std::string text = app().session().text();
    text.replace(text.find("2 * in[i]"), 9, "3 * in[i]");
    app().send(command::EditText{text});
    wait_for_result(ctx);
    IM_CHECK(!app().view().latest->result.passed);
    app().send(command::AskSolution{});
    ctx->Yield(2);
    IM_CHECK(app().session().progress_of(*app().session().step()) == nullptr ||
             !app().session().progress_of(*app().session().step())->solution_shown);
  });
}

TEST_F(WindowTest, AnOwnKernelIsOpenedWithTheKeyboardAndOnlyOnce) {
  const std::filesystem::path file = home() / "program.cu";
  ASSERT_TRUE(write_file_atomically(file,
                                    "__global__ void twice(const float* in, float* out, int n) {\n"
                                    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                    "  if (i < n) out[i] = 2 * in[i];\n}\n")
                  .ok());
  open("coalescing", "stride");
  walk([&, this](ImGuiTestContext* ctx) {
    const auto drawn = [&](const char* part) { return is_drawn(ctx, part); };
    app().send(command::OpenOwnKernel{});
    ctx->Yield(4);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(4);
    IM_CHECK(!drawn("Open your own kernel"));
    // Typing replaces the path from before.
    app().send(command::OpenOwnKernel{});
    ctx->Yield(4);
    // After a file without a kernel, typing goes on in the same field.
    ctx->KeyChars((file.string() + ".txt").c_str());
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    ctx->KeyChars(file.string().c_str());
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    IM_CHECK(drawn("Your kernel, of program.cu"));
    // Cancelled and opened again, it asks for the file again.
    app().send(command::CloseDialog{});
    ctx->Yield(2);
    app().send(command::OpenOwnKernel{});
    ctx->Yield(4);
    IM_CHECK(drawn("Open your own kernel"));
    ctx->KeyChars(file.string().c_str());
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    // Esc closes the drop-down, not the dialog.
    ctx->ItemClick("//$FOCUSED/##kernel");
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(4);
    IM_CHECK(drawn("Your kernel, of program.cu"));
    ctx->ItemClick("**/##n");
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().session().place().c_str(), "program-twice/kernel");
    wait_for_result(ctx);
    // Opened again, it has a lab already; the form itself has the keyboard.
    app().send(command::OpenStep{"coalescing", "stride"});
    ctx->Yield(4);
    app().send(command::OpenOwnKernel{file.string()});
    ctx->Yield(4);
    IM_CHECK(drawn("You have opened this kernel before"));
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().session().place().c_str(), "program-twice/kernel");
    for (const lab::Lab& lab : app().view().labs->labs) IM_CHECK(lab.id != "program-twice-2");
  });
}

// A program with a mistake can be repaired: the first version that compiles is the reference.
TEST_F(WindowTest, AKernelThatDoesNotCompileIsRepairedInTheWindow) {
  const std::filesystem::path file = home() / "broken.cu";
  ASSERT_TRUE(write_file_atomically(file,
                                    "__global__ void twice(const float* in, float* out, int n) {\n"
                                    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                    "  if (i < n) out[i] = 2 * in[i]\n}\n")
                  .ok());
  open("coalescing", "stride");
  walk([&, this](ImGuiTestContext* ctx) {
    app().send(command::OpenOwnKernel{file.string()});
    ctx->Yield(4);
    app().send(command::MakeKernelLab{});
    ctx->Yield(4);
    app().send(command::Run{});
    wait_for_result(ctx);
    std::string text = app().session().text();
    text.replace(text.find("in[i]"), 5, "in[i];");
    app().send(command::EditText{text});
    IM_CHECK(wait_until(ctx, [&] { return app().session().step()->exercise->reference == text; }));
    wait_for_result(ctx);
    IM_CHECK(app().view().result()->passed);
  });
}

TEST_F(WindowTest, AnOwnLabIsRemovedAndKeptInTheHistory) {
  const std::filesystem::path file = home() / "program.cu";
  ASSERT_TRUE(
      write_file_atomically(file, "__global__ void one(float* out) { out[0] = 1; }\n").ok());
  open("coalescing", "stride");
  walk([&, this](ImGuiTestContext* ctx) {
    const auto drawn = [&](const char* part) { return is_drawn(ctx, part); };
    app().send(command::AskRemoveLab{});
    ctx->Yield(4);
    IM_CHECK(!drawn("history folder beside your work"));
    app().send(command::OpenOwnKernel{file.string()});
    ctx->Yield(4);
    app().send(command::MakeKernelLab{});
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().session().place().c_str(), "program-one/kernel");
    app().send(command::AskRemoveLab{});
    ctx->Yield(4);
    IM_CHECK(drawn("history folder beside your work"));
    ctx->ItemClick("**/Remove##confirm");
    ctx->Yield(8);
    for (const lab::Lab& lab : app().view().labs->labs) IM_CHECK(lab.id != "program-one");
    IM_CHECK(app().session().step() != nullptr);
    IM_CHECK(!std::filesystem::exists(home() / "labs" / "program-one"));
    IM_CHECK(!std::filesystem::is_empty(home() / "history" / "labs"));
  });
}

// A message that has no room beside its line is shortened there.
TEST_F(WindowTest, AMessageBesideTheCodeTakesOneRow) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    std::string text = app().session().text();
    const size_t body = text.find("{\n", text.find("__global__")) + 2;
    text.insert(body, "  int a = a_name_of_thirty_six_letters_no_less;\n");
    app().send(command::EditText{text});
    app().send(command::Run{});
    wait_for_result(ctx);
    ctx->Yield(4);
    const std::string whole = app().view().latest->result.diagnostics.front().message.english();
    bool begun = false;
    for (const DrawnText& drawn : texts_of_frame(ctx)) {
      if (drawn.window.find("code") == std::string::npos || drawn.text.size() < 8) continue;
      const size_t at = whole.find(drawn.text);
      IM_CHECK(at == std::string::npos || at == 0);
      begun = begun || drawn.text == whole;
    }
    IM_CHECK(begun);
  });
}

// Another language changes the words, not the results.
TEST_F(WindowTest, AnotherLanguageKeepsTheResultsAndTheText) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::EditText{"// mine\n" + app().session().text()});
    app().send(command::Run{});
    wait_for_result(ctx);
    app().send(command::SetLanguage{"de"});
    ctx->Yield(2);
    IM_CHECK(app().view().prepared != nullptr);
    IM_CHECK(app().session().text().starts_with("// mine\n"));
    wait_for_result(ctx);
    const lab::RunResult& result = app().view().latest->result;
    const lab::Exercise& exercise = *app().session().step()->exercise;
    bool found = false;
    for (const lab::CheckResult& check : result.checks) {
      for (const lab::CheckRule& rule : exercise.checks) {
        if (check.id != rule.id) continue;
        found = true;
        // The rule's title is the lab's German translation.
        IM_CHECK_STR_EQ(tr(check.title).c_str(), rule.title.c_str());
      }
    }
    IM_CHECK(found);
    app().send(command::SetLanguage{"en"});
    ctx->Yield(2);
  });
}

}  // namespace
}  // namespace warpshop::ui
