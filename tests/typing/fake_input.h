// Sends keys and mouse buttons through the X server's XTEST extension: windows take them for a
// person's.
#pragma once

#include <memory>
#include <string_view>

namespace warpshop::ui {

class FakeInput {
 public:
  // Connects to the display in DISPLAY and adds keys for the non-ASCII characters in kernels'
  // comments.
  FakeInput();
  ~FakeInput();
  bool works() const;  // the server can be reached and has the extension

  // Types a letter, with Shift if needed. False if the keyboard has no such key.
  bool letter(char32_t letter);
  // Presses or releases a key: "Enter", "Ctrl", "Down". False if no key has this name.
  bool key(std::string_view name, bool down);
  void move(int x, int y);  // in pixels of the screen
  void button(int number, bool down);
  // Returns once the server has delivered everything that was sent.
  void sync();

 private:
  struct Server;
  std::unique_ptr<Server> server_;
};

}  // namespace warpshop::ui
