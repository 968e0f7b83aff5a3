// Asks GTK's environment, GNOME's settings and KDE's.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "core/files.h"
#include "window/system_theme.h"

namespace warpshop::ui {
namespace {

std::string output_of(const char* command) {
  std::string out;
  if (FILE* pipe = popen(command, "r")) {
    std::array<char, 256> buffer{};
    while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe)) out += buffer.data();
    pclose(pipe);
  }
  return out;
}

bool ask_desktop() {
  if (const char* theme = std::getenv("GTK_THEME")) {
    if (Preference p = preference_from_gtk_theme(theme); p != Preference::kUnknown) {
      return p == Preference::kDark;
    }
  }
  // The setting that GNOME and most others share (freedesktop.org appearance, color-scheme).
  const Preference gnome = preference_from_gsettings(
      output_of("timeout 2 gsettings get org.gnome.desktop.interface color-scheme 2>/dev/null"));
  if (gnome != Preference::kUnknown) return gnome == Preference::kDark;
  if (Result<std::string> kde = read_file(config_base() / "kdeglobals"); kde.ok()) {
    if (Preference p = preference_from_kdeglobals(*kde); p != Preference::kUnknown) {
      return p == Preference::kDark;
    }
  }
  return true;
}

}  // namespace

SystemTheme::SystemTheme(std::function<void()> on_change) : on_change_(std::move(on_change)) {}

SystemTheme::~SystemTheme() {
  if (thread_.joinable()) thread_.join();
}

void SystemTheme::ask() {
  if (asking_.exchange(true)) return;
  if (thread_.joinable()) thread_.join();
  thread_ = std::thread([this] {
    const bool dark = ask_desktop();
    if (dark_.exchange(dark) != dark) on_change_();
    asking_ = false;
  });
}

}  // namespace warpshop::ui
