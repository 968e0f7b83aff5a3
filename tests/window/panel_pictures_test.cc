// Compares each panel, with everything it can show, with its reference pictures, on the newest and
// on the oldest GPU and in both themes.
#include "picture_test.h"

namespace warpshop::ui {
namespace {

struct Case {
  const char *name, *lab, *step, *gpu;
};

class PanelPictures : public PictureTest, public ::testing::WithParamInterface<Case> {
 protected:
  // Also waits for the predicted time, which the roofline and the history keep; the next text would
  // cancel it.
  void wait_for_all(ImGuiTestContext* ctx) {
    wait_for_result(ctx);
    const bool rests = wait_until(ctx, [this] { return !app().busy() && !app().predicting(); });
    IM_CHECK(rests);
  }
};

TEST_P(PanelPictures, AreThoseThatAreKept) {
  UiOptions look;
  look.theme = "dark";
  look.gpu = GetParam().gpu;
  open(GetParam().lab, GetParam().step, look);
  walk([this](ImGuiTestContext* ctx) {
    ctx->MouseMoveToPos({1, 998});
    app().send(command::Run{});
    wait_for_all(ctx);
    // Make a second version to compare with; the worse of the two has more to show.
    app().send(command::PinLatest{});
    app().send(command::TakeSolution{});
    ctx->Yield(3);
    wait_for_all(ctx);
    app().send(command::Reset{});
    ctx->Yield(3);
    app().send(command::Run{});
    wait_for_all(ctx);
    for (const char* panel : kPanels) {
      // Its times come one by one.
      if (std::string_view(panel) == "compare") continue;
      SCOPED_TRACE(panel);
      app().send(command::FocusPanel{panel});
      ctx->Yield(4);
      const bool rests = wait_until(ctx, [this] { return !app().busy() && !app().predicting(); });
      IM_CHECK(rests);
      for (const bool dark : {true, false}) {
        app().send(command::SetTheme{dark ? ThemeChoice::kDark : ThemeChoice::kLight});
        ctx->Yield(2);
        take(ctx, dark ? "dark" : "light", texts_of_frame(ctx), panel);
      }
      compare_taken(std::string("panel-") + GetParam().name + "-" + panel);
    }
  });
}
INSTANTIATE_TEST_SUITE_P(Gpus, PanelPictures,
                         ::testing::Values(Case{"h200", "bank-conflicts", "column", "h200"},
                                           Case{"8800gt", "partition-camping", "diagonal",
                                                "8800-gt"}),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace warpshop::ui
