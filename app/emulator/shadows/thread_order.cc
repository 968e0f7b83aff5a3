#include "shadows/thread_order.h"

#include <algorithm>
#include <utility>

namespace warpshop::emulator {

ThreadOrder::Knowledge ThreadOrder::join(const Knowledge& a, const Knowledge& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  const auto covers = [](const Times& one, const Times& other) {
    return std::equal(one.begin(), one.end(), other.begin(), std::greater_equal<>());
  };
  if (covers(*a, *b)) return a;
  if (covers(*b, *a)) return b;
  auto both = std::make_shared<Times>(*a);
  for (size_t t = 0; t < kThreads; ++t) (*both)[t] = std::max((*both)[t], (*b)[t]);
  return both;
}

void ThreadOrder::clear() {
  known_.clear();
  pending_.clear();
  fenced_.clear();
  published_.clear();
}

void ThreadOrder::make_room() {
  if (!known_.empty()) return;
  known_.resize(kThreads);
  pending_.resize(kThreads);
  fenced_.resize(kThreads);
}

const ThreadOrder::Times* ThreadOrder::of(uint32_t thread) const {
  return known_.empty() ? nullptr : known_[thread].get();
}

const ThreadOrder::Knowledge& ThreadOrder::knowledge(uint32_t thread) const {
  static const Knowledge kNone;
  return known_.empty() ? kNone : known_[thread];
}

void ThreadOrder::learn(uint32_t thread, const Knowledge& more) {
  if (more == nullptr) return;
  make_room();
  known_[thread] = join(known_[thread], more);
}

void ThreadOrder::read(uint32_t thread, uint64_t address) {
  const auto there = published_.find(address);
  if (there == published_.end()) return;
  make_room();
  pending_[thread] = join(pending_[thread], there->second);
}

void ThreadOrder::acquire(uint32_t thread, uint64_t address) {
  const auto there = published_.find(address);
  if (there != published_.end()) learn(thread, there->second);
}

void ThreadOrder::fence(uint32_t thread, uint32_t now) {
  make_room();
  learn(thread, std::exchange(pending_[thread], nullptr));
  fenced_[thread] = now;
}

uint32_t ThreadOrder::fenced(uint32_t thread) const {
  return fenced_.empty() ? 0 : fenced_[thread];
}

void ThreadOrder::publish(uint64_t address, Knowledge times, bool replaces) {
  Knowledge& there = published_[address];
  there = replaces ? std::move(times) : join(there, times);
}

}  // namespace warpshop::emulator
