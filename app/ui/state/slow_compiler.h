// Notices that the compiler takes unusually long. Nothing can interrupt NVRTC, so the window says
// what waits and why.
#pragma once

namespace warpshop::ui {

class SlowCompiler {
 public:
  // Said in every frame. True while it has been compiling for longer than anybody expects, without
  // news of any run.
  bool slow(bool compiling, double now_s) {
    if (!compiling) since_s_ = now_s;
    return now_s - since_s_ > kLongSeconds;
  }
  void news(double now_s) { since_s_ = now_s; }

 private:
  static constexpr double kLongSeconds = 5;
  double since_s_ = 0;
};

}  // namespace warpshop::ui
