// Detects that the compiler takes unusually long. NVRTC cannot be interrupted, so the window shows
// what is waiting and why.
#pragma once

namespace warpshop::ui {

class SlowCompiler {
 public:
  // Call in every frame. True while compilation has taken unusually long without news of any run.
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
