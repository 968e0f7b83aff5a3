#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "core/folder_watch.h"

namespace warpshop {
namespace {

constexpr int kQuietMs = 50;
constexpr uint32_t kWatchedEvents =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_MOVED_FROM;

}  // namespace

struct FolderWatch::State {
  std::function<void()> on_change;
  int events = -1;                               // inotify
  int wakeup = -1;                               // eventfd: end the thread
  std::map<std::filesystem::path, int> watched;  // inotify's watch descriptors
  std::thread thread;

  // Drains the queue; true if it contained a change. The end of a watch does not count as one.
  bool drain() const {
    alignas(inotify_event) std::array<char, 4096> buffer{};
    bool any = false;
    for (ssize_t got; (got = read(events, buffer.data(), buffer.size())) > 0;) {
      for (ssize_t at = 0; at < got;) {
        inotify_event event{};
        std::memcpy(&event, buffer.data() + at, sizeof event);
        any = any || (event.mask & IN_IGNORED) == 0;
        at += static_cast<ssize_t>(sizeof event + event.len);
      }
    }
    return any;
  }

  void work() const {
    bool pending = false;
    for (;;) {
      std::array<pollfd, 2> fds = {pollfd{events, POLLIN, 0}, pollfd{wakeup, POLLIN, 0}};
      const int ready = poll(fds.data(), fds.size(), pending ? kQuietMs : -1);
      if (ready < 0) continue;  // interrupted by a signal
      if (fds[1].revents != 0) return;
      if (fds[0].revents != 0) {
        pending |= drain();
      } else if (pending) {
        pending = false;
        on_change();
      }
    }
  }
};

FolderWatch::FolderWatch(std::function<void()> on_change) : state_(std::make_unique<State>()) {
  state_->on_change = std::move(on_change);
  state_->events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  state_->wakeup = eventfd(0, EFD_CLOEXEC);
  // Without inotify (if its limit of instances is reached),
  // outside edits are noticed only when the file is saved.
  if (state_->events >= 0 && state_->wakeup >= 0) {
    state_->thread = std::thread([state = state_.get()] { state->work(); });
  }
}

FolderWatch::~FolderWatch() {
  if (state_->thread.joinable()) {
    const uint64_t one = 1;
    [[maybe_unused]] const auto written = write(state_->wakeup, &one, sizeof one);
    state_->thread.join();
  }
  if (state_->events >= 0) close(state_->events);
  if (state_->wakeup >= 0) close(state_->wakeup);
}

bool FolderWatch::watch(const std::filesystem::path& folder) {
  watch(std::vector{folder});
  return state_->watched.contains(folder);
}

void FolderWatch::watch(const std::vector<std::filesystem::path>& folders) {
  std::map<std::filesystem::path, int> now;
  std::set<int> kept;
  for (const std::filesystem::path& folder : folders) {
    // For a folder that is already watched, inotify returns the same descriptor; a folder that was
    // recreated gets a new one.
    const int number =
        inotify_add_watch(state_->events, folder.c_str(), kWatchedEvents | IN_ONLYDIR);
    if (number < 0) continue;
    now[folder] = number;
    kept.insert(number);
  }
  for (const auto& [folder, number] : state_->watched) {
    if (!kept.contains(number)) inotify_rm_watch(state_->events, number);
  }
  state_->watched = std::move(now);
}

}  // namespace warpshop
