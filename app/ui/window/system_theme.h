// Detects whether the desktop prefers dark windows.
#pragma once

#include <atomic>
#include <functional>
#include <string_view>
#include <thread>

namespace warpshop::ui {

// Queries the desktop on its own thread, since that starts a program; dark() is the latest answer.
class SystemTheme {
 public:
  explicit SystemTheme(std::function<void()> on_change);
  ~SystemTheme();
  SystemTheme(const SystemTheme&) = delete;
  SystemTheme& operator=(const SystemTheme&) = delete;
  void ask();  // queries again; no effect while a query is pending
  bool dark() const { return dark_.load(); }

 private:
  std::function<void()> on_change_;
  std::atomic<bool> dark_{true};
  std::atomic<bool> asking_{false};
  std::thread thread_;
};

// Parse the desktops' own settings: GTK's settings and environment, KDE's colour scheme. Pure
// functions, for tests.
enum class Preference { kUnknown, kDark, kLight };
Preference preference_from_gsettings(std::string_view output);  // 'prefer-dark'
Preference preference_from_gtk_theme(std::string_view name);    // Adwaita:dark, Yaru-dark
Preference preference_from_kdeglobals(std::string_view text);   // ColorScheme=BreezeDark

}  // namespace warpshop::ui
