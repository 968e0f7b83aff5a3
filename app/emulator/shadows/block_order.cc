#include "shadows/block_order.h"

#include <algorithm>
#include <utility>

namespace warpshop::emulator {

BlockOrder::Warp& BlockOrder::warp_of(Block& block, uint32_t warp) {
  while (block.warps.size() <= warp) {
    block.warps.emplace_back();
    block.warps.back().known = block.known;
    block.warps.back().pending = block.pending;
  }
  return block.warps[warp];
}

const BlockOrder::Knowledge& BlockOrder::known_by(const Block& block, uint32_t warp) const {
  return warp < block.warps.size() ? block.warps[warp].known : block.known;
}

bool BlockOrder::covers(const Knowledge& known, uint64_t block, uint32_t warp, uint32_t time) {
  if (known == nullptr) return false;
  const Known& of = (*known)[static_cast<size_t>(block)];
  return time < of.all || (of.warp == warp && time < of.own);
}

// True if `a` knows all that `b` does.
bool BlockOrder::covers(const Known& a, const Known& b) {
  return b.all <= a.all && (b.own <= a.all || (b.warp == a.warp && b.own <= a.own));
}

BlockOrder::Knowledge BlockOrder::join(const Knowledge& a, const Knowledge& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  work_ += a->size();
  const auto covers_all = [](const std::vector<Known>& x, const std::vector<Known>& y) {
    for (size_t n = 0; n < x.size(); ++n) {
      if (!covers(x[n], y[n])) return false;
    }
    return true;
  };
  if (covers_all(*a, *b)) return a;
  if (covers_all(*b, *a)) return b;
  work_ += a->size();
  auto both = std::make_shared<std::vector<Known>>(*a);
  for (size_t n = 0; n < both->size(); ++n) {
    Known& mine = (*both)[n];
    const Known& other = (*b)[n];
    mine.all = std::max(mine.all, other.all);
    if (mine.own > 0 && other.own > 0 && mine.warp != other.warp) {
      // There is room for one warp: what is known of the other counts for the whole block.
      mine.all = std::max(mine.all, std::min(mine.own, other.own));
    }
    if (other.own > mine.own) {
      mine.own = other.own;
      mine.warp = other.warp;
    }
  }
  return both;
}

void BlockOrder::pass_barrier(uint64_t index) {
  Block& block = blocks_[static_cast<size_t>(index)];
  for (const Warp& warp : block.warps) {
    block.known = join(block.known, warp.known);
    block.pending = join(block.pending, warp.pending);
  }
  for (Warp& warp : block.warps) {
    warp.known = block.known;
    warp.pending = block.pending;
  }
  if (std::exchange(block.fenced, false) || needs_ == Needs::kWords)
    block.flushed = clocks_[static_cast<size_t>(index)].barrier;
}

void BlockOrder::make_ready(uint64_t index, uint32_t warp) {
  Warp& mine = warp_of(blocks_[static_cast<size_t>(index)], warp);
  BlockClock& clock = clocks_[static_cast<size_t>(index)];
  mine.fenced_all = clock.barrier;
  mine.fenced_own = clock.advance();
}

void BlockOrder::fence(uint64_t index, uint32_t warp) {
  Block& block = blocks_[static_cast<size_t>(index)];
  Warp& mine = warp_of(block, warp);
  mine.known = join(mine.known, std::exchange(mine.pending, nullptr));
  make_ready(index, warp);
  block.fenced = true;
}

BlockOrder::Knowledge BlockOrder::published_by(uint64_t index, uint32_t warp, bool releases) {
  Block& block = blocks_[static_cast<size_t>(index)];
  Warp& mine = warp_of(block, warp);
  if (releases) make_ready(index, warp);
  const Known with{
      .all = std::max(mine.fenced_all, block.flushed), .own = mine.fenced_own, .warp = warp};
  if (with.all == 0 && with.own == 0) return nullptr;
  if (mine.published != nullptr && mine.made_of == mine.known && mine.made_with == with)
    return mine.published;
  work_ += blocks_.size();
  auto fresh = mine.known == nullptr ? std::make_shared<std::vector<Known>>(blocks_.size())
                                     : std::make_shared<std::vector<Known>>(*mine.known);
  (*fresh)[static_cast<size_t>(index)] = with;
  mine.published = std::move(fresh);
  mine.made_of = mine.known;
  mine.made_with = with;
  return mine.published;
}

void BlockOrder::learn(uint64_t index, uint32_t warp, const Knowledge& more, bool acquires) {
  if (more == nullptr) return;
  Warp& mine = warp_of(blocks_[static_cast<size_t>(index)], warp);
  Knowledge& where = acquires || needs_ == Needs::kWords ? mine.known : mine.pending;
  where = join(where, more);
}

void BlockOrder::read(uint64_t block, uint32_t warp, uint64_t address, bool acquires) {
  const auto there = published_.find(address);
  if (there != published_.end()) learn(block, warp, there->second, acquires);
}

void BlockOrder::write(uint64_t block, uint32_t warp, uint64_t address, bool replaces,
                       bool releases) {
  const Knowledge mine = published_by(block, warp, releases || needs_ == Needs::kWords);
  if (mine == nullptr) {
    if (replaces) published_.erase(address);
    return;
  }
  Knowledge& there = published_[address];
  there = replaces ? mine : join(there, mine);
}

void BlockOrder::hand_over(uint64_t block, uint32_t warp, uint64_t reader, uint32_t reader_warp) {
  learn(reader, reader_warp, published_by(block, warp, needs_ == Needs::kWords), false);
}

bool BlockOrder::knows(uint64_t block, uint32_t warp, uint64_t other, uint32_t other_warp,
                       uint32_t time) const {
  return covers(known_by(block_at(block), warp), other, other_warp, time);
}

bool BlockOrder::would_know(uint64_t index, uint32_t warp, uint64_t other, uint32_t other_warp,
                            uint32_t time) const {
  const Block& block = block_at(index);
  const Knowledge& pending = warp < block.warps.size() ? block.warps[warp].pending : block.pending;
  return covers(pending, other, other_warp, time);
}

}  // namespace warpshop::emulator
