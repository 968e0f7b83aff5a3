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
  std::string opens = {};  // a file or folder that it offers to open
  bool problem = false;
  bool lasting = false;  // until it is clicked or taken back
  double shown_s = 0;    // since when
  double came_s = 0;     // when it, or the one of its topic that it has replaced, faded in
};

class Toasts {
 public:
  // The newest notice of a topic takes the place of the one before; an empty topic is none.
  void say(std::string text, double now_s, std::string_view topic = {});
  void say(const Diagnostics& problems, double now_s);
  // What was saved, and where: with buttons that open it and its folder. It stays until it is put
  // away or a minute is over.
  void say_saved(std::string text, const std::filesystem::path& path, double now_s);
  // They stay until they are clicked or dropped: for mistakes that somebody is about to correct.
  void say_lasting(const Diagnostics& problems, double now_s, std::string_view topic);
  void drop(std::string_view topic);
  // `bar_end`: a lecture is given, and only the bar on top may be covered, up to there; the newest
  // notice is shown there. What went wrong stays at the lower edge.
  void draw(double now_s, std::optional<float> bar_end, CommandQueue& queue);
  // When a notice looks different from now: `now_s` while one comes or goes, infinity when there is
  // none.
  double next_change_s(double now_s) const;
  void clear() { toasts_.clear(); }
  const std::vector<Toast>& all() const { return toasts_; }

 private:
  void add(Toast toast);

  std::vector<Toast> toasts_;
};

}  // namespace warpshop::ui
