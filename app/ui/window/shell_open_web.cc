#include <filesystem>
#include <string_view>

#include "window/shell_open.h"

// In gl_window_web.js.
extern "C" {
void lab_window_visit(const char* address);
void lab_window_download(const char* file);
void lab_window_choose_file();
}

namespace warpshop::ui {

bool open_in_shell(ImGuiContext*, const char* what) {
  const std::string_view target = what;
  if (target.starts_with("https://") || target.starts_with("http://")) {
    lab_window_visit(what);
    return true;
  }
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(target, ignored)) return false;
  lab_window_download(what);
  return true;
}

bool hand_over(const std::filesystem::path& file) {
  lab_window_download(file.c_str());
  return true;
}

void ask_for_file() { lab_window_choose_file(); }

}  // namespace warpshop::ui
