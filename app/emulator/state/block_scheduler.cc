#include "state/block_scheduler.h"

#include <algorithm>

namespace warpshop::emulator {
namespace {

constexpr uint64_t kOneFromBack = uint64_t{1} << 32;
constexpr uint64_t kFrontMask = kOneFromBack - 1;
// Each thread overshoots each share by at most one, which must not overflow into the other half.
constexpr uint64_t kMostInShare = uint64_t{1} << 31;

}  // namespace

void BlockScheduler::begin(uint64_t blocks, int workers, bool in_order) {
  const auto count = static_cast<uint64_t>(workers);
  const bool one_share = in_order || blocks / count >= kMostInShare;
  shares_ = std::vector<Share>(one_share ? 1 : count);
  uint64_t first = 0;
  for (size_t n = 0; n < shares_.size(); ++n) {
    const uint64_t size = blocks / shares_.size() + (n < blocks % shares_.size() ? 1 : 0);
    shares_[n].first = first;
    shares_[n].size = size;
    first += size;
  }
}

bool BlockScheduler::next(int worker, uint64_t& position) {
  if (shares_.size() == 1) return take_from_front(shares_[0], position);
  if (take_from_front(shares_[static_cast<size_t>(worker)], position)) return true;
  for (;;) {
    const auto fullest =
        std::max_element(shares_.begin(), shares_.end(),
                         [&](const Share& a, const Share& b) { return left(a) < left(b); });
    if (left(*fullest) == 0) return false;
    if (take_from_back(*fullest, position)) return true;
  }
}

uint64_t BlockScheduler::started_in_order() const {
  return std::min(shares_[0].taken.load(std::memory_order_relaxed), shares_[0].size);
}

bool BlockScheduler::take_from_front(Share& share, uint64_t& position) {
  // Leave an empty share alone: a thread with suspended blocks asks again and again.
  if (left(share) == 0) return false;
  // Sequentially consistent: a thread that takes a later block sees Turnstile::expect of this one.
  const uint64_t taken = share.taken.fetch_add(1);
  const uint64_t front = shares_.size() == 1 ? taken : taken & kFrontMask;
  const uint64_t back = shares_.size() == 1 ? 0 : taken >> 32;
  position = share.first + front;
  return front + back < share.size;
}

bool BlockScheduler::take_from_back(Share& share, uint64_t& position) {
  const uint64_t taken = share.taken.fetch_add(kOneFromBack, std::memory_order_relaxed);
  const uint64_t back = taken >> 32;
  position = share.first + share.size - 1 - back;
  return (taken & kFrontMask) + back < share.size;
}

uint64_t BlockScheduler::left(const Share& share) const {
  const uint64_t taken = share.taken.load(std::memory_order_relaxed);
  const uint64_t gone = shares_.size() == 1 ? taken : (taken & kFrontMask) + (taken >> 32);
  return gone < share.size ? share.size - gone : 0;
}

}  // namespace warpshop::emulator
