#include "work/sass_worker.h"

#include <utility>

namespace warpshop::ui {

SassWorker::~SassWorker() {
  stop_.request();
  if (thread_.joinable()) thread_.join();
}

bool SassWorker::take_news() {
  std::lock_guard lock(mutex_);
  return std::exchange(fresh_, false);
}

std::shared_ptr<const Disassembly> SassWorker::of(const Cubin& cubin) {
  std::lock_guard lock(mutex_);
  if (of_ == cubin || working_) return of_ == cubin ? made_ : nullptr;
  of_ = cubin;
  made_.reset();
  working_ = true;
  if (thread_.joinable()) thread_.join();  // it has already finished its work
  thread_ = std::thread([this, cubin] {
    auto made = std::make_shared<const Disassembly>(compile::disassemble(*cubin, &stop_));
    {
      std::lock_guard done(mutex_);
      made_ = std::move(made);
      working_ = false;
      fresh_ = true;
    }
    wake_();
  });
  return nullptr;
}

}  // namespace warpshop::ui
