#include "background_check.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <utility>

namespace warpshop::cli {

BackgroundCheck::BackgroundCheck(lab::Runner runner)
    : runner_(std::move(runner)), done_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  thread_ = std::thread([this] { work(); });
}

BackgroundCheck::~BackgroundCheck() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    if (stop_) stop_->request();
  }
  changed_.notify_all();
  thread_.join();
}

void BackgroundCheck::start(lab::RunRequest request) {
  {
    const std::lock_guard lock(mutex_);
    if (stop_) stop_->request();
    stop_ = std::make_shared<StopFlag>();
    next_ = std::move(request);
    result_.reset();
  }
  changed_.notify_all();
}

std::optional<lab::RunResult> BackgroundCheck::take() {
  uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(done_.get(), &count, sizeof count);
  const std::lock_guard lock(mutex_);
  return std::exchange(result_, std::nullopt);
}

void BackgroundCheck::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || next_.has_value(); });
    if (ends_) return;
    lab::RunRequest request = std::move(*next_);
    next_.reset();
    const std::shared_ptr<StopFlag> stop = stop_;
    request.stop = stop.get();
    lock.unlock();
    lab::RunResult result = runner_.run(request);
    lock.lock();
    if (stop->requested()) continue;  // a newer one is there
    result_ = std::move(result);
    const uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(done_.get(), &one, sizeof one);
  }
}

}  // namespace warpshop::cli
