// Checks a kernel on another thread, the newest text only.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "core/descriptor.h"
#include "core/stop.h"
#include "lab/runner.h"

namespace warpshop::cli {

class BackgroundCheck {
 public:
  explicit BackgroundCheck(lab::Runner runner);
  ~BackgroundCheck();
  BackgroundCheck(const BackgroundCheck&) = delete;
  BackgroundCheck& operator=(const BackgroundCheck&) = delete;
  // Abandons the check before this one. Fills in RunRequest::stop.
  void start(lab::RunRequest request);
  int descriptor() const { return done_.get(); }  // readable once there is a result
  // The result of the check started last; none: it still runs.
  std::optional<lab::RunResult> take();

 private:
  void work();
  lab::Runner runner_;
  Descriptor done_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<lab::RunRequest> next_;
  std::shared_ptr<StopFlag> stop_;  // of the newest request
  std::optional<lab::RunResult> result_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace warpshop::cli
