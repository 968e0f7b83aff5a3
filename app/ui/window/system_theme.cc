#include "window/system_theme.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/files.h"
#include "text/format.h"

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

Preference preference_from_gsettings(std::string_view output) {
  if (output.find("prefer-dark") != std::string_view::npos) return Preference::kDark;
  if (output.find("prefer-light") != std::string_view::npos) return Preference::kLight;
  if (output.find("default") != std::string_view::npos) return Preference::kLight;
  return Preference::kUnknown;
}

Preference preference_from_gtk_theme(std::string_view name) {
  if (name.empty()) return Preference::kUnknown;
  return lower(name).find("dark") != std::string::npos ? Preference::kDark : Preference::kLight;
}

Preference preference_from_kdeglobals(std::string_view text) {
  constexpr std::string_view kKey = "\nColorScheme=";
  const size_t at = text.find(kKey);
  if (at == std::string_view::npos) return Preference::kUnknown;
  const size_t begin = at + kKey.size();
  return preference_from_gtk_theme(
      text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin));
}

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
