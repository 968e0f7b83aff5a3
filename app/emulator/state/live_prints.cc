#include "emulator/live_prints.h"

#include <utility>

#include "state/print_buffer.h"

namespace warpshop::emulator {

LivePrints::LivePrints() : kept_(std::make_unique<PrintBuffer>(kLimit)) {}
LivePrints::~LivePrints() = default;

void LivePrints::start(const Dim3& grid, const Dim3& block) {
  std::lock_guard lock(mutex_);
  grid_ = grid;
  block_ = block;
  *kept_ = PrintBuffer(kLimit);
  calls_ = late_ = 0;
  full_ = false;
}

void LivePrints::add(uint64_t block, uint32_t thread, std::string_view text) {
  calls_.fetch_add(1, std::memory_order_relaxed);
  if (full_.load(std::memory_order_relaxed)) {
    late_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  std::lock_guard lock(mutex_);
  kept_->add(block, thread, std::string(text));
  full_ = kept_->full();
}

LivePrints::Text LivePrints::text() const {
  std::lock_guard lock(mutex_);
  PrintBuffer::Printed printed = kept_->printed();
  return {grid_, block_, std::move(printed.text), std::move(printed.calls),
          printed.dropped + late_.load()};
}

}  // namespace warpshop::emulator
