#include "window/browser_keys.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpshop::ui {
namespace {

using Named = std::pair<std::string_view, ImGuiKey>;

constexpr Named kSigns[] = {
    {"'", ImGuiKey_Apostrophe}, {",", ImGuiKey_Comma},        {"-", ImGuiKey_Minus},
    {".", ImGuiKey_Period},     {"/", ImGuiKey_Slash},        {";", ImGuiKey_Semicolon},
    {"=", ImGuiKey_Equal},      {"[", ImGuiKey_LeftBracket},  {"\\", ImGuiKey_Backslash},
    {"+", ImGuiKey_Equal},      {"]", ImGuiKey_RightBracket}, {"`", ImGuiKey_GraveAccent},
};

constexpr Named kPlaces[] = {
    {"Tab", ImGuiKey_Tab},
    {"ArrowLeft", ImGuiKey_LeftArrow},
    {"ArrowRight", ImGuiKey_RightArrow},
    {"ArrowUp", ImGuiKey_UpArrow},
    {"ArrowDown", ImGuiKey_DownArrow},
    {"PageUp", ImGuiKey_PageUp},
    {"PageDown", ImGuiKey_PageDown},
    {"Home", ImGuiKey_Home},
    {"End", ImGuiKey_End},
    {"Insert", ImGuiKey_Insert},
    {"Delete", ImGuiKey_Delete},
    {"Backspace", ImGuiKey_Backspace},
    {"Space", ImGuiKey_Space},
    {"Enter", ImGuiKey_Enter},
    {"Escape", ImGuiKey_Escape},
    {"ControlLeft", ImGuiKey_LeftCtrl},
    {"ShiftLeft", ImGuiKey_LeftShift},
    {"AltLeft", ImGuiKey_LeftAlt},
    {"MetaLeft", ImGuiKey_LeftSuper},
    {"ControlRight", ImGuiKey_RightCtrl},
    {"ShiftRight", ImGuiKey_RightShift},
    {"AltRight", ImGuiKey_RightAlt},
    {"MetaRight", ImGuiKey_RightSuper},
    {"ContextMenu", ImGuiKey_Menu},
    {"CapsLock", ImGuiKey_CapsLock},
    {"ScrollLock", ImGuiKey_ScrollLock},
    {"NumLock", ImGuiKey_NumLock},
    {"PrintScreen", ImGuiKey_PrintScreen},
    {"Pause", ImGuiKey_Pause},
    {"NumpadDecimal", ImGuiKey_KeypadDecimal},
    {"NumpadDivide", ImGuiKey_KeypadDivide},
    {"NumpadMultiply", ImGuiKey_KeypadMultiply},
    {"NumpadSubtract", ImGuiKey_KeypadSubtract},
    {"NumpadAdd", ImGuiKey_KeypadAdd},
    {"NumpadEnter", ImGuiKey_KeypadEnter},
    {"NumpadEqual", ImGuiKey_KeypadEqual},
    {"Quote", ImGuiKey_Apostrophe},
    {"Comma", ImGuiKey_Comma},
    {"Minus", ImGuiKey_Minus},
    {"Period", ImGuiKey_Period},
    {"Slash", ImGuiKey_Slash},
    {"Semicolon", ImGuiKey_Semicolon},
    {"Equal", ImGuiKey_Equal},
    {"BracketLeft", ImGuiKey_LeftBracket},
    {"Backslash", ImGuiKey_Backslash},
    {"BracketRight", ImGuiKey_RightBracket},
    {"Backquote", ImGuiKey_GraveAccent},
    {"IntlBackslash", ImGuiKey_Oem102},
};

template <size_t kCount>
ImGuiKey find(const Named (&names)[kCount], std::string_view name) {
  const auto* at = std::find_if(std::begin(names), std::end(names),
                                [name](const Named& named) { return named.first == name; });
  return at == std::end(names) ? ImGuiKey_None : at->second;
}

// "F5": 5; "Numpad7" with the prefix "Numpad": 7; -1 if it is none.
int number_after(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return -1;
  name.remove_prefix(prefix.size());
  if (name.empty() || name.size() > 2) return -1;
  int number = 0;
  for (const char digit : name) {
    if (digit < '0' || digit > '9') return -1;
    number = number * 10 + (digit - '0');
  }
  return number;
}

}  // namespace

ImGuiKey key_of_browser(std::string_view code, std::string_view key) {
  const bool keypad = code.starts_with("Numpad");
  if (key.size() == 1 && !keypad) {
    const char typed = key[0];
    if (typed >= 'a' && typed <= 'z') return static_cast<ImGuiKey>(ImGuiKey_A + (typed - 'a'));
    if (typed >= 'A' && typed <= 'Z') return static_cast<ImGuiKey>(ImGuiKey_A + (typed - 'A'));
    if (const ImGuiKey sign = find(kSigns, key); sign != ImGuiKey_None) return sign;
  }
  // With NumLock off, the keypad's keys are others.
  if (keypad && key.size() > 1 && key != "Enter") return find(kPlaces, key);
  if (const int digit = number_after("Digit", code); digit >= 0 && digit <= 9)
    return static_cast<ImGuiKey>(ImGuiKey_0 + digit);
  if (const int digit = number_after("Numpad", code); digit >= 0 && digit <= 9)
    return static_cast<ImGuiKey>(ImGuiKey_Keypad0 + digit);
  if (const int number = number_after("F", code); number >= 1 && number <= 24)
    return static_cast<ImGuiKey>(ImGuiKey_F1 + (number - 1));
  if (const ImGuiKey place = find(kPlaces, code); place != ImGuiKey_None) return place;
  // A keyboard without Latin letters: shortcuts are where they are on an American one.
  if (code.size() == 4 && code.starts_with("Key") && code[3] >= 'A' && code[3] <= 'Z')
    return static_cast<ImGuiKey>(ImGuiKey_A + (code[3] - 'A'));
  // Touch keyboards send names without places.
  return find(kPlaces, key);
}

}  // namespace warpshop::ui
