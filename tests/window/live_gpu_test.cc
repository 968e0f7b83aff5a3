// The window on a machine with a GPU: opens a lab and measures a kernel live. Skipped without a
// driver. WARPSHOP_WORKER names the program to measure with if this test is not next to it.
#include <cstdio>

#include "device/worker.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

TEST_F(WindowTest, AKernelIsMeasuredOnTheGpuInThisMachine) {
  if (!device::driver_is_installed()) GTEST_SKIP() << "there is no NVIDIA driver on this machine";
  if (std::getenv("WARPSHOP_WORKER") == nullptr) {
    setenv("WARPSHOP_WORKER", (std::string(WARPSHOP_PROGRAM) + " worker").c_str(), 1);
  }
  for (const auto& [lab, step] : {std::pair{"coalescing", "transpose-tile"}, {"tiling", "tiled"}}) {
    open(lab, step);
    std::printf("drawn by %s\n", app().window().renderer().c_str());
    walk([this](ImGuiTestContext* ctx) {
      app().send(command::TakeSolution{});
      ctx->Yield(2);
      const double begin = ImGui::GetTime();
      ctx->KeyPress(ImGuiKey_F6);
      IM_CHECK(wait_until(ctx, [this] {
        return app().view().latest && app().view().latest->result.measured_on.has_value() &&
               app().view().latest->result.sizes.front().measured.has_value();
      }));
      std::printf("from F6 to the first time measured: %.2f s\n", ImGui::GetTime() - begin);
      wait_for_result(ctx);
      const lab::RunResult& result = app().view().latest->result;
      for (const lab::SizeResult& size : result.sizes) {
        IM_CHECK(size.measured.has_value());
        IM_CHECK(size.measured->correct);
      }
      IM_CHECK(result.passed);
      app().send(command::FocusPanel{"times"});
      ctx->Yield(3);
      // Again with a warm worker, as for a student who types.
      const double again = ImGui::GetTime();
      app().send(command::EditText{app().session().text() + "\n// once more\n"});
      ctx->Yield(2);
      IM_CHECK(wait_until(ctx, [this] {
        return !app().view().latest_stale &&
               app().view().latest->result.sizes.front().measured.has_value();
      }));
      std::printf("from an edit to its time measured, warm: %.2f s\n", ImGui::GetTime() - again);
      wait_for_result(ctx);
      IM_CHECK(wait_until(ctx, [this] { return !app().predicting(); }));
      ctx->Yield(3);
      for (const lab::SizeResult& size : app().view().latest->result.sizes) {
        if (!size.measured || !size.measured->student_prediction_error) continue;
        std::printf("%s: predicted %.2f us, measured %.2f us warm, off by %+.1f %%\n",
                    size.size.label.c_str(), size.student.prediction->time_us,
                    size.measured->job.timing->student.warm_median_us,
                    *size.measured->student_prediction_error * 100);
      }
    });
    keep_picture(std::string("live-") + lab);
    walk([this](ImGuiTestContext* ctx) {
      app().send(command::SetTheme{ThemeChoice::kLight});
      ctx->Yield(3);
    });
    keep_picture(std::string("live-") + lab + "-light");
    close();
  }
}

}  // namespace
}  // namespace warpshop::ui
