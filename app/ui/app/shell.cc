#include "app/shell.h"

#include <chrono>

#include "text/text.h"
#include "window/shell_open.h"

namespace warpshop::ui {
namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Shell::Shell(AppOptions chosen) : options(std::move(chosen)), start_s_(steady_seconds()) {}

double Shell::now() const { return steady_seconds() - start_s_; }

void Shell::say(std::string text, std::string_view topic) {
  toasts.say(std::move(text), now(), topic);
}

void Shell::say(const Diagnostics& problems) { toasts.say(problems, now()); }

void Shell::say(const Status& status) {
  if (!status.ok()) say(status.errors());
}

bool Shell::say_saved(std::string text, const std::filesystem::path& path) {
  saved = path.string();
  toasts.say_saved(std::move(text), path, now());
  return hand_over(path);
}

void Shell::apply_queue() {
  for (const Command& command : queue.take()) {
    draw_frames(3);
    if (lecture.on() && commands.is_work(command)) {
      say(tr("End the lecture first, with Esc."));
    } else if (following && commands.is_work(command) && !command.get_if<command::FollowText>()) {
      say(tr("This is the lecturer's text: go back to your own work first."));
    } else {
      apply(command);
    }
  }
}

const models::GpuProfile* Shell::profile_of(std::string_view id) const {
  for (const models::GpuProfile& gpu : gpus) {
    if (gpu.id == id) return &gpu;
  }
  return nullptr;
}

}  // namespace warpshop::ui
