#include <utility>

#include "window/system_theme.h"

// In gl_window_web.js.
extern "C" int lab_window_dark();

namespace warpshop::ui {

SystemTheme::SystemTheme(std::function<void()> on_change) : on_change_(std::move(on_change)) {}
SystemTheme::~SystemTheme() = default;

void SystemTheme::ask() {
  const bool dark = lab_window_dark() != 0;
  if (dark_.exchange(dark) != dark) on_change_();
}

}  // namespace warpshop::ui
