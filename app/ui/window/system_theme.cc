#include "window/system_theme.h"

#include <algorithm>
#include <string>

#include "core/ascii.h"
#include "text/format.h"

namespace warpshop::ui {

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

}  // namespace warpshop::ui
