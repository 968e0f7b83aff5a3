// A window in which a lecture is given.
#pragma once

#include <string_view>

#include "imgui_internal.h"
#include "window/layout.h"
#include "window_driver.h"

namespace warpshop::ui {

class LectureDriver : public WindowTest {
 protected:
  void begin(ImGuiTestContext* ctx) {
    ctx->MouseMoveToPos({1, 700});
    app().send(command::GiveLecture{});
    ctx->Yield(8);
    wait_for_result(ctx);
  }
  static bool shown(std::string_view panel) {
    const ImGuiWindow* window = panel_window(panel);
    return window && window->Active;
  }
};

}  // namespace warpshop::ui
