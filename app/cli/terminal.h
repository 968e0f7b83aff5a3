// Terminal output: colour, and a progress line for anything that takes longer than a second.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "core/stop.h"

namespace warpshop::cli {

// Colours repeat what a word or mark already says: blue is good, orange is waste or wrong. Only for
// terminals, and not if NO_COLOR (https://no-color.org) is set. Pass the returned text only to
// print(), which turns it into escape codes.
class Paint {
 public:
  explicit Paint(bool colour) : colour_(colour) {}
  static Paint for_standard_output();
  std::string good(std::string_view text) const { return wrap(text, "38;5;75"); }
  std::string bad(std::string_view text) const { return wrap(text, "38;5;215"); }
  std::string quiet(std::string_view text) const { return wrap(text, "38;5;247"); }
  std::string strong(std::string_view text) const { return wrap(text, "1"); }

 private:
  std::string wrap(std::string_view text, const char* code) const;
  bool colour_;
};

// The text's width in columns: UTF-8 characters, each one column wide.
size_t screen_width(std::string_view text);
// Pads the text with spaces on the right (left) to `width` columns.
std::string pad_right(std::string_view text, size_t width);
std::string pad_left(std::string_view text, size_t width);

// A line on standard error that appears after a second and disappears at the end; only on a
// terminal.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void say(std::string what);

 private:
  void show();
  std::string what_;
  bool done_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

// Turns Ctrl-C into a stop request during its lifetime; a second Ctrl-C ends the process at once.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  const StopFlag* flag() const;
  bool requested() const { return flag()->requested(); }
};

// Writes to standard output or standard error. Spells out control characters other than Paint's
// colours (core/terminal_text.h), since much of the text was written by others.
void print(std::string_view text);
void print_error(std::string_view text);

}  // namespace warpshop::cli
