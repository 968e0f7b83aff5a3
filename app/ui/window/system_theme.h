// Whether the desktop prefers dark windows.
#pragma once

#include <atomic>
#include <functional>
#include <string_view>
#include <thread>

namespace warpshop::ui {

// Asks the desktop on a thread of its own, since that starts a program; dark() is the last answer.
class SystemTheme {
 public:
  explicit SystemTheme(std::function<void()> on_change);
  ~SystemTheme();
  SystemTheme(const SystemTheme&) = delete;
  SystemTheme& operator=(const SystemTheme&) = delete;
  void ask();  // again; does nothing while an answer is awaited
  bool dark() const { return dark_.load(); }

 private:
  std::function<void()> on_change_;
  std::atomic<bool> dark_{true};
  std::atomic<bool> asking_{false};
  std::thread thread_;
};

// From what the desktops keep: GTK's environment and settings file, KDE's colour scheme. Pure, for
// tests.
enum class Preference { kUnknown, kDark, kLight };
Preference preference_from_gsettings(std::string_view output);  // 'prefer-dark'
Preference preference_from_gtk_theme(std::string_view name);    // Adwaita:dark, Yaru-dark
Preference preference_from_kdeglobals(std::string_view text);   // ColorScheme=BreezeDark

}  // namespace warpshop::ui
