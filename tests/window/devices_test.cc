// A student uses a GPU next to the emulator: adds a worker in the dialog and measures a kernel. A
// kernel that faults ends the worker but not the lab. The worker's GPU is the emulator.
#include "work/devices.h"

#include <algorithm>

#include "core/files.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

const std::string kWorker = std::string("env WARPSHOP_LIBNVML=none.so ") + WARPSHOP_FAKE_WORKER;

TEST_F(WindowTest, AWorkerIsAddedMeasuresAndIsStartedAgainAfterAFault) {
  setenv("WARPSHOP_LIBCUDA", "/no/libcuda.so.1", 1);
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    IM_CHECK(!app().view().latest->result.measured_on.has_value());

    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_F6);
    ctx->Yield(5);
    ctx->ItemClick("**/##command");
    ctx->KeyCharsAppend("no-such-program worker");
    ctx->Yield(5);
    keep_picture(ctx, "devices-refused-command");
    ctx->KeyPress(ImGuiKey_Enter);  // reported as unusable, and not kept
    ctx->Yield(3);
    IM_CHECK(app().settings().workers.empty());
    ctx->ItemClick("**/##command");
    ctx->KeyCharsReplace(kWorker.c_str());
    ctx->Yield(3);
    ctx->ItemClick("**/Add##add");
    ctx->Yield(3);
    IM_CHECK_EQ(app().settings().workers.size(), size_t{1});
    IM_CHECK_STR_EQ(app().settings().measure_on.c_str(), kWorker.c_str());
    IM_CHECK(wait_until(ctx, [this] { return app().view().devices->chosen().name == "Fake GPU"; }));
    ctx->Yield(5);
    keep_picture(ctx, "devices-dialog");
    ctx->KeyPress(ImGuiKey_Escape);
    // Measures the last run without running it again.
    IM_CHECK(wait_until(ctx, [this] {
      const lab::RunResult& result = app().view().latest->result;
      return result.stage(lab::Stage::kMeasure).state != lab::StageState::kSkipped && !app().busy();
    }));
    const lab::RunResult& result = app().view().latest->result;
    IM_CHECK(result.measured_on.has_value());
    IM_CHECK_STR_EQ(result.measured_on->gpu.name.c_str(), "Fake GPU");
    for (const lab::SizeResult& size : result.sizes) {
      IM_CHECK(size.measured.has_value());
      IM_CHECK(size.measured->correct);
    }
    IM_CHECK_STR_EQ(result.checks.back().id.c_str(), "gpu-correct");
    // The maps are unchanged, and the Times panel is in front.
    IM_CHECK(app().view().selected.has_value());
    IM_CHECK(ctx->ItemExists("**/##device"));
  });
  keep_picture("devices-measured");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::SetTheme{ThemeChoice::kLight});
    ctx->Yield(3);
  });
  keep_picture("devices-measured-light");

  walk([this](ImGuiTestContext* ctx) {
    const std::string& text = app().session().text();
    const size_t at = text.find("out[");
    IM_CHECK(at != std::string::npos);
    std::string faults = text;
    faults.insert(at + 4, "(1ll << 40) + ");
    app().send(command::EditText{faults});
    wait_for_result(ctx);
    // The emulator found the fault: while the user types, such a kernel is not sent to the GPU.
    IM_CHECK(app().view().latest->result.measure_problems.front().kind == "not-measured");
    ctx->KeyPress(ImGuiKey_F6);
    IM_CHECK(wait_until(ctx, [this] {
      const Diagnostics& problems = app().view().latest->result.measure_problems;
      return !problems.empty() && problems.front().kind == "gpu-fault" && !app().busy();
    }));
    const Diagnostic& problem = app().view().latest->result.measure_problems.front();
    IM_CHECK(problem.help.english().find("out-of-bounds") != std::string::npos);
    IM_CHECK(problem.place.line > 0);
    // The worker is available again.
    IM_CHECK(app().view().devices->chosen().state == LinkState::kReady);
    app().send(command::FocusPanel{"times"});
    ctx->Yield(5);
  });
  keep_picture("devices-fault-light");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::SetTheme{ThemeChoice::kDark});
    ctx->Yield(3);
  });
  keep_picture("devices-fault");

  walk([this](ImGuiTestContext* ctx) {
    // Back to the emulator alone: measured values disappear.
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_F6);
    ctx->Yield(5);
    app().send(command::SelectDevice{kEmulatorAlone, -1});
    ctx->Yield(3);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK_STR_EQ(app().settings().measure_on.c_str(), "emulator");
    IM_CHECK(!app().view().latest->result.measured_on.has_value());
  });
  Result<std::string> saved = read_file(home() / "settings.json");
  ASSERT_TRUE(saved.ok());
  EXPECT_NE(saved->find("fake_gpu_worker"), std::string::npos);
  EXPECT_NE(saved->find("\"measure_on\": \"emulator\""), std::string::npos);
}

}  // namespace
}  // namespace warpshop::ui
