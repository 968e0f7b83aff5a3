// Each lab from its first step to its last, as a student does it: questions answered, the start run and seen to fail, the
// worked solution put into the editor and seen to pass, and on by the keyboard. Each step is looked at in both themes and at
// three zooms, and the first exercise is compared with the picture of it that is kept.
#include <algorithm>
#include <regex>
#include <set>

#include "core/files.h"
#include "lab/translation.h"
#include "picture_check.h"
#include "text_check.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

class LabWalk : public WindowTest, public ::testing::WithParamInterface<std::string> {
 protected:
  // As a student sees it in each of the looks.
  void look_around(ImGuiTestContext* ctx, const std::string& where) {
    for (const ThemeChoice theme : {ThemeChoice::kDark, ThemeChoice::kLight}) {
      app().send(command::SetTheme{theme});
      for (const float zoom : {0.75f, 1.0f, 2.0f}) {
        app().send(command::Zoom{zoom / app().settings().zoom});
        ctx->Yield(3);
        for (const std::string& misfit : misfits(texts_of_frame(ctx))) {
          if (problems_.insert(where + misfit).second) {
            ADD_FAILURE() << where << (theme == ThemeChoice::kDark ? ", dark, " : ", light, ") << static_cast<int>(zoom * 100) << "%: " << misfit;
          }
        }
      }
    }
    app().send(command::SetTheme{ThemeChoice::kDark});
    app().send(command::Zoom{0});
    ctx->Yield(6);
  }

  void run(ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
  }

  // The times that this computer took are another each time.
  std::vector<Part> times_in_sight(ImGuiTestContext* ctx) {
    static const std::regex time(R"((^|[^a-z])[0-9][0-9.,]* ?(µs|ms|s|min)($|[^a-z]))");
    std::vector<Part> out;
    for (const DrawnText& text : texts_of_frame(ctx)) {
      if (std::regex_search(text.text, time)) out.push_back({{text.min.x - 60, text.min.y - 2}, {text.max.x + 60, text.max.y + 2}});
    }
    return out;
  }

  // In both themes. WARPSHOP_KEEP_PICTURES in the environment keeps what is there now.
  void compare_pictures(ImGuiTestContext* ctx, const std::string& name) {
    ctx->MouseMoveToPos({1, 998});
    app().send(command::LeaveLecture{});  // as Esc does
    IM_CHECK(wait_until(ctx, [&, this] { return !something_is_said(ctx); }));
    for (const bool dark : {true, false}) {
      app().send(command::SetTheme{dark ? ThemeChoice::kDark : ThemeChoice::kLight});
      const std::vector<Part> left_out = times_in_sight(ctx);
      const std::string file = name + (dark ? "-dark" : "-light");
      const Picture now = regions_of(take_picture(ctx, file));
      const std::filesystem::path kept = std::filesystem::path(WARPSHOP_SOURCE_DIR) / "tests/window/pictures" / (file + ".pam");
      if (std::getenv("WARPSHOP_KEEP_PICTURES")) {
        EXPECT_TRUE(write_regions(now, kept).ok());
        continue;
      }
      const Picture before = read_regions(kept);
      EXPECT_GT(before.width, 0) << kept << " is missing: run this test with WARPSHOP_KEEP_PICTURES=1, and look at window-pictures/";
      if (before.width == 0) continue;
      for (const std::string& difference : differences(now, before, left_out)) ADD_FAILURE() << file << ": " << difference;
    }
    app().send(command::SetTheme{ThemeChoice::kDark});
    ctx->Yield(3);
  }

  std::set<std::string> problems_;
};

TEST_P(LabWalk, FromTheFirstStepToTheLast) {
  UiOptions look;
  look.theme = "dark";
  look.gpu = "h200";
  const lab::LabLibrary labs = lab::load_labs_in(data_dir(), "en");
  const auto lab = std::find_if(labs.labs.begin(), labs.labs.end(), [](const lab::Lab& l) { return l.id == GetParam(); });
  ASSERT_NE(lab, labs.labs.end());
  open(GetParam(), lab->steps.front().id, look);
  bool compared = false;
  for (size_t n = 0; n < lab->steps.size(); ++n) {
    const lab::Step& step = lab->steps[n];
    SCOPED_TRACE(GetParam() + "/" + step.id);
    walk([&, this](ImGuiTestContext* ctx) {
      ctx->Yield(4);
      IM_CHECK_STR_EQ(app().session().step()->id.c_str(), step.id.c_str());
      for (size_t question = 0; question < step.questions.size(); ++question) {
        app().send(command::AnswerQuestion{static_cast<int>(question), step.questions[question].answer});
      }
      ctx->Yield(3);
      if (!step.exercise) {
        look_around(ctx, step.id);
        return;
      }
      // The start does not pass; an edit runs it, as the student's do.
      run(ctx);
      IM_CHECK(app().view().latest != nullptr);
      EXPECT_FALSE(app().view().latest->result.passed) << step.id << ": its start passes";
      app().send(command::ShowHint{});
      app().send(command::TakeSolution{});
      ctx->Yield(3);
      wait_for_result(ctx);
      for (const lab::CheckResult& check : app().view().latest->result.checks) {
        EXPECT_TRUE(check.passed) << step.id << ": " << check.id << ": " << check.message.english();
      }
      wait_until(ctx, [this] { return !app().predicting(); });
      IM_CHECK(app().session().progress_of(*app().session().step())->passed);
      look_around(ctx, step.id);
      if (!compared) compare_pictures(ctx, GetParam());
      compared = true;
    });
    if (HasFatalFailure()) return;
    if (n + 1 < lab->steps.size()) {
      walk([](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_N);
        ctx->Yield(4);
      });
    }
  }
  // All of it is done, and the next session knows.
  walk([&, this](ImGuiTestContext* ctx) {
    ctx->Yield(3);
    for (const lab::Step& step : app().session().lab()->steps) {
      const lab::StepProgress* progress = app().session().progress_of(step);
      const bool done = progress && progress->passed;
      EXPECT_TRUE(done || (!step.exercise && step.questions.empty())) << step.id;
    }
  });
}

std::vector<std::string> all_labs() {
  std::vector<std::string> labs;
  for (const auto& lab : std::filesystem::directory_iterator(std::filesystem::path(WARPSHOP_SOURCE_DIR) / "labs")) {
    if (std::filesystem::exists(lab.path() / "lab.toml")) labs.push_back(lab.path().filename());
  }
  std::sort(labs.begin(), labs.end());
  return labs;
}
INSTANTIATE_TEST_SUITE_P(Labs, LabWalk, ::testing::ValuesIn(all_labs()), [](const auto& lab) {
  std::string name = lab.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace warpshop::ui
