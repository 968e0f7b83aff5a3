// Keys and mouse buttons through the X server's XTEST extension: windows take them for a person's.
#pragma once

#include <memory>
#include <string_view>

namespace warpshop::ui {

class FakeInput {
 public:
  FakeInput();  // of the display in DISPLAY; its keyboard gets keys for the signs that kernels'
                // comments have besides ASCII
  ~FakeInput();
  bool works() const;  // there is a server, and it has the extension

  // A letter with the Shift that it needs. False: the keyboard has no such key.
  bool letter(char32_t letter);
  // "Enter", "Ctrl", "Down": pressed or released. False: no key is called so.
  bool key(std::string_view name, bool down);
  void move(int x, int y);  // pixels of the screen
  void button(int number, bool down);
  // Returns when the server has handed out all that was sent.
  void sync();

 private:
  struct Server;
  std::unique_ptr<Server> server_;
};

}  // namespace warpshop::ui
