#include "typing/fake_input.h"

// In a file of its own because of Xlib's macros ("Status", "None").
#include <X11/XKBlib.h>
#include <X11/Xlib.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>

#include <algorithm>
#include <utility>

namespace warpshop::ui {

struct FakeInput::Server {
  Display* display = XOpenDisplay(nullptr);
  ~Server() {
    if (display) XCloseDisplay(display);
  }
};

namespace {

constexpr KeySym kUnicode = 0x01000000;
constexpr char32_t kMoreSigns[] = {U'·', U'×', U'²', U'³', U'…', U'–',
                                   U'−', U'µ', U'→', U'≤', U'ü'};

KeySym symbol_of(char32_t letter) {
  return letter < 0x80 ? static_cast<KeySym>(letter) : kUnicode + letter;
}

// Assigns the missing characters to unused keys. Must be called before a window reads the mapping.
void add_signs(Display* display) {
  int first = 0, last = 0, columns = 0;
  XDisplayKeycodes(display, &first, &last);
  KeySym* symbols =
      XGetKeyboardMapping(display, static_cast<KeyCode>(first), last - first + 1, &columns);
  int code = last;
  for (const char32_t sign : kMoreSigns) {
    if (XKeysymToKeycode(display, symbol_of(sign)) != 0) continue;
    const auto is_free = [&](int at) {
      const KeySym* of_key = symbols + (at - first) * columns;
      return std::all_of(of_key, of_key + columns,
                         [](KeySym symbol) { return symbol == NoSymbol; });
    };
    while (code >= first && !is_free(code)) --code;
    if (code < first) break;
    KeySym both[2] = {symbol_of(sign), symbol_of(sign)};
    XChangeKeyboardMapping(display, code--, 2, both, 1);
  }
  XFree(symbols);
  XSync(display, False);
}

}  // namespace

FakeInput::FakeInput() : server_(std::make_unique<Server>()) {
  if (works()) add_signs(server_->display);
}
FakeInput::~FakeInput() = default;

bool FakeInput::works() const {
  int unused = 0;
  return server_->display &&
         XTestQueryExtension(server_->display, &unused, &unused, &unused, &unused);
}

bool FakeInput::letter(char32_t letter) {
  const KeySym symbol = symbol_of(letter);
  const KeyCode code = XKeysymToKeycode(server_->display, symbol);
  if (code == 0) return false;
  const bool shifted = XkbKeycodeToKeysym(server_->display, code, 0, 0) != symbol;
  if (shifted) key("Shift", true);
  XTestFakeKeyEvent(server_->display, code, True, 0);
  XTestFakeKeyEvent(server_->display, code, False, 0);
  if (shifted) key("Shift", false);
  return true;
}

bool FakeInput::key(std::string_view name, bool down) {
  static const std::pair<std::string_view, KeySym> kKeys[] = {
      {"Ctrl", XK_Control_L}, {"Alt", XK_Alt_L},
      {"Shift", XK_Shift_L},  {"Enter", XK_Return},
      {"Tab", XK_Tab},        {"Esc", XK_Escape},
      {"Home", XK_Home},      {"End", XK_End},
      {"Up", XK_Up},          {"Down", XK_Down},
      {"Left", XK_Left},      {"Right", XK_Right},
      {"Delete", XK_Delete},  {"Backspace", XK_BackSpace},
      {"PageUp", XK_Page_Up}, {"PageDown", XK_Page_Down},
      {"F3", XK_F3},          {"F6", XK_F6},
      {"Space", XK_space}};
  KeySym symbol = name.size() == 1 ? static_cast<KeySym>(name.front()) : NoSymbol;
  if (symbol >= 'A' && symbol <= 'Z') symbol += 'a' - 'A';
  for (const auto& [called, named] : kKeys) {
    if (name == called) symbol = named;
  }
  const KeyCode code = symbol == NoSymbol ? KeyCode{0} : XKeysymToKeycode(server_->display, symbol);
  if (code == 0) return false;
  XTestFakeKeyEvent(server_->display, code, down ? True : False, 0);
  return true;
}

void FakeInput::move(int x, int y) { XTestFakeMotionEvent(server_->display, -1, x, y, 0); }

void FakeInput::button(int number, bool down) {
  XTestFakeButtonEvent(server_->display, static_cast<unsigned>(number), down ? True : False, 0);
}

void FakeInput::sync() { XSync(server_->display, False); }

}  // namespace warpshop::ui
