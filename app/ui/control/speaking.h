// The window with the speaker's notes: shows those of the lecture that another Warpshop gives on
// this machine, on whichever screen. It runs no kernel and writes nothing.
#pragma once

#include "app/shell.h"
#include "control/open_work.h"
#include "draw/markdown_view.h"

namespace warpshop::ui {

class Speaking {
 public:
  Speaking(Shell& shell, OpenWork& work) : shell_(shell), work_(work) {}

  static constexpr double kLookSeconds = 0.25;  // how often it looks where the lecture is

  // True if the lecture has moved since the last call.
  bool follow();
  void draw();

 private:
  Shell& shell_;
  OpenWork& work_;
  Lecture lecture_;  // on while another window gives one
  MarkdownView notes_;
};

}  // namespace warpshop::ui
