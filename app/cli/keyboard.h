// Single keys from the terminal, and the signals that end a program that waits for them.
#pragma once

#include <optional>

#include "core/descriptor.h"

namespace warpshop::cli {

enum class KeyKind { kCharacter, kUp, kDown, kEnter, kEscape, kEnd };
struct Key {
  KeyKind kind = KeyKind::kCharacter;
  char character = 0;  // lower case
};

// While it exists, keys arrive at once and are not shown. Ctrl-C still interrupts. Without a
// terminal at both ends it does nothing.
class Keyboard {
 public:
  Keyboard();
  ~Keyboard() { restore(); }
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;
  bool is_there() const { return there_; }
  // The next key; none: nothing was typed, or nothing known. Does not wait.
  std::optional<Key> read() const;
  // Takes the terminal again after a job control stop: the shell has changed its settings.
  void take() const;
  void restore();

 private:
  bool there_ = false;
};

// Ctrl-C, a closed terminal and kill as events. A second one ends the process at once, with the
// terminal restored.
class TerminalSignals {
 public:
  TerminalSignals();
  ~TerminalSignals();
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;
  int descriptor() const { return event_.get(); }  // readable once there was a signal
  struct Seen {
    int end = 0;             // the signal that asks the program to end; 0: none
    bool resized = false;    // the terminal's size changed
    bool continued = false;  // after a job control stop
  };
  Seen take();

 private:
  Descriptor event_;
};

int terminal_width();  // columns; 80 if unknown

// Clears the screen; the scrollback stays. A terminal that cannot do that gets a line of dashes.
void clear_screen();

}  // namespace warpshop::cli
