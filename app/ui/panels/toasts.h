// Short notices at the lower edge: what was just done, or what went wrong and what to do.
#pragma once

#include <string>
#include <vector>

#include "core/diagnostic.h"

namespace warpshop::ui {

struct Toast {
  std::string text;
  std::string help;
  bool problem = false;
  double shown_s = 0;  // since when
};

class Toasts {
 public:
  void say(std::string text, double now_s);
  void say(const Diagnostics& problems, double now_s);
  void draw(double now_s);
  // When a notice looks different from now: `now_s` while one comes or goes, infinity when there is none.
  double next_change_s(double now_s) const;
  void clear() { toasts_.clear(); }

 private:
  std::vector<Toast> toasts_;
};

}  // namespace warpshop::ui
