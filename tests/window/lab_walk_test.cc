// Goes through each lab from its first step to its last as a student does: answers questions, runs
// the skeleton and sees it fail, puts the solution into the editor and sees it pass, and continues
// with the keyboard. Inspects each step in both themes and at three zooms, and compares it with its
// reference pictures.
#include <algorithm>
#include <cstring>
#include <set>

#include "core/files.h"
#include "imgui_internal.h"
#include "lab/translation.h"
#include "picture_test.h"

namespace warpshop::ui {
namespace {

class LabWalk : public PictureTest, public ::testing::WithParamInterface<std::string> {
 protected:
  // Inspects each look of the window as a student sees it.
  void look_around(ImGuiTestContext* ctx, const std::string& where) {
    ctx->MouseMoveToPos({1, 998});
    wait_until(
        ctx, [this] { return !app().busy() && !app().predicting() && !app().view().film_opening; });
    // Which access stands in for the former version's depends on what ran in between.
    if (app().view().substituted) app().send(command::SelectAccess{0});
    for (const ThemeChoice theme : {ThemeChoice::kDark, ThemeChoice::kLight}) {
      app().send(command::SetTheme{theme});
      for (const float zoom : {0.75f, 1.0f, 2.0f}) {
        app().send(command::Zoom{zoom / app().settings().zoom});
        ctx->Yield(3);
        // The scroll position after answers and zooming depends on how many frames they took, so
        // each text is inspected from its top.
        for (ImGuiWindow* window : ctx->UiContext->Windows) {
          if (window->Active && std::strstr(window->Name, "/text_")) ImGui::SetScrollY(window, 0);
        }
        ctx->Yield(2);
        const std::vector<DrawnText> texts = texts_of_frame(ctx);
        const std::string look = (theme == ThemeChoice::kDark ? "dark-" : "light-") +
                                 std::to_string(static_cast<int>(zoom * 100));
        for (const std::string& misfit : misfits(texts)) {
          if (problems_.insert(where + misfit).second)
            ADD_FAILURE() << where << ", " << look << "%: " << misfit;
        }
        take(ctx, look, texts);
      }
    }
    app().send(command::SetTheme{ThemeChoice::kDark});
    app().send(command::Zoom{0});
    ctx->Yield(6);
    compare_taken(GetParam() + "-" + where);
  }

  void run(ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
  }

  std::set<std::string> problems_;
};

TEST_P(LabWalk, FromTheFirstStepToTheLast) {
  UiOptions look;
  look.theme = "dark";
  look.gpu = "h200";
  const lab::LabLibrary labs = lab::load_labs_in(data_dir(), "en");
  const auto lab = std::find_if(labs.labs.begin(), labs.labs.end(),
                                [](const lab::Lab& l) { return l.id == GetParam(); });
  ASSERT_NE(lab, labs.labs.end());
  open(GetParam(), lab->steps.front().id, look);
  for (size_t n = 0; n < lab->steps.size(); ++n) {
    const lab::Step& step = lab->steps[n];
    SCOPED_TRACE(GetParam() + "/" + step.id);
    walk([&, this](ImGuiTestContext* ctx) {
      ctx->Yield(4);
      IM_CHECK_STR_EQ(app().session().step()->id.c_str(), step.id.c_str());
      answer_everything();
      if (step.exercise && step.exercise->estimate) app().send(command::GiveEstimate{2});
      ctx->Yield(3);
      if (!step.exercise) {
        look_around(ctx, step.id);
        return;
      }
      // The skeleton does not pass; an edit runs the kernel, as for a student.
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
      IM_CHECK(app().session().progress_of(*app().session().step())->passed);
      look_around(ctx, step.id);
    });
    if (HasFatalFailure()) return;
    if (n + 1 < lab->steps.size()) {
      walk([](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_N);
        ctx->Yield(4);
      });
    }
  }
  // Everything is done, and the next session remembers it.
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
  for (const auto& lab :
       std::filesystem::directory_iterator(std::filesystem::path(WARPSHOP_SOURCE_DIR) / "labs")) {
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
