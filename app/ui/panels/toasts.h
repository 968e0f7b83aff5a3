// Short notices at the lower edge: what was just done, or what went wrong and what to do.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands.h"
#include "core/diagnostic.h"

namespace warpshop::ui {

struct Toast {
  std::string text;
  std::string place;  // of a problem: "…/lab.toml:12:5", or the folder
  std::string help;
  std::string topic;
  std::string opens = {};  // a file or folder it offers to open
  bool problem = false;
  bool lasting = false;  // stays until clicked or withdrawn
  double shown_s = 0;    // when it was first shown
  double came_s = 0;     // when it, or the one of its topic that it replaced, faded in
};

class Toasts {
 public:
  // A new notice replaces the previous one of the same topic; an empty topic replaces nothing.
  void say(std::string text, double now_s, std::string_view topic = {});
  void say(const Diagnostics& problems, double now_s);
  // Reports a saved file, with buttons that open it and its folder. Stays until dismissed or for a
  // minute.
  void say_saved(std::string text, const std::filesystem::path& path, double now_s);
  // These stay until clicked or dropped: for mistakes that somebody is about to correct.
  void say_lasting(const Diagnostics& problems, double now_s, std::string_view topic);
  void drop(std::string_view topic);
  // `bar`: set during a lecture, whose slide must stay visible: from where to where the bar on top
  // is free. The newest notice appears there; problems stay at the lower edge.
  void draw(double now_s, std::optional<std::pair<float, float>> bar, CommandQueue& queue);
  // When a notice next looks different: `now_s` while one fades in or out, or is not what was drawn
  // last; infinity if there is none.
  double next_change_s(double now_s) const;
  void clear();
  const std::vector<Toast>& all() const { return toasts_; }

 private:
  void add(Toast toast);

  std::vector<Toast> toasts_;
  int frames_due_ = 0;  // until what was said or withdrawn is on the screen
};

}  // namespace warpshop::ui
