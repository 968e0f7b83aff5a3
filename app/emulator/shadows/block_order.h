// The order of accesses between a launch's blocks: which happen before which others because of
// fences, releases and acquires at words of global memory. PTX ISA §8.8 "Release and acquire
// patterns": a release, or a fence followed by a strong write; an acquire, or a strong read
// followed by a fence. The acquire must read what the release has written, or what an atomic has
// made of it. What a thread has acquired, its block has after the next barrier, and a fence
// publishes what the block's threads did before the last barrier.
//
// Each block has a time, which advances with its ordering events. What a warp knows of another
// block is a time before which all of that block's accesses happen before the warp's next one, and
// a later time for the accesses of one of its warps. Where the manual and common practice differ,
// this assumes the more ordered: the lanes of a warp share what they know, any barrier counts as
// one of the whole block, and a fence of one thread before a barrier as one of each.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace warpshop::emulator {

// The time of a block, shared by the orders that are kept of it.
struct BlockClock {
  uint32_t now = 1;
  uint32_t barrier = 0;   // time of the last one
  bool accessed = false;  // since `now` last advanced

  // The time before which all accesses so far were made.
  uint32_t advance() {
    now += accessed ? 1 : 0;
    accessed = false;
    return now;
  }
  void pass_barrier() {
    barrier = ++now;
    accessed = false;
  }
};
using BlockClocks = std::vector<BlockClock>;

class BlockOrder {
 public:
  enum class Needs : uint8_t {
    kFences,  // as the manual says
    kWords,   // as if there were a fence beside every strong access
  };
  // `clocks`: of all blocks of the launch; outlives this.
  BlockOrder(BlockClocks& clocks, Needs needs)
      : needs_(needs), clocks_(clocks), blocks_(clocks.size()) {}

  // Any barrier of some of the block's threads, after that of its clock.
  void pass_barrier(uint64_t block);
  void fence(uint64_t block, uint32_t warp);
  // A strong read of the word. `acquires`: it needs no fence after it.
  void read(uint64_t block, uint32_t warp, uint64_t address, bool acquires);
  // A strong write. `replaces`: a store, not an atomic; `releases`: it needs no fence before it.
  void write(uint64_t block, uint32_t warp, uint64_t address, bool replaces, bool releases);
  // As if the warp had just written a word that `reader` now reads.
  void hand_over(uint64_t block, uint32_t warp, uint64_t reader, uint32_t reader_warp);

  // True if what `other_warp` did at `time` happens before the warp's next access.
  bool knows(uint64_t block, uint32_t warp, uint64_t other, uint32_t other_warp,
             uint32_t time) const;
  // True if only a fence of the warp is missing for that.
  bool would_know(uint64_t block, uint32_t warp, uint64_t other, uint32_t other_warp,
                  uint32_t time) const;
  // Work so far, in entries compared and copied, and entries kept.
  uint64_t work() const { return work_; }
  uint64_t kept() const { return published_.size() * blocks_.size(); }

 private:
  struct Known {
    uint32_t all = 0;   // accesses before this time
    uint32_t own = 0;   // and those of `warp` before this one
    uint32_t warp = 0;  // if own > 0
    bool operator==(const Known&) const = default;
  };
  using Knowledge = std::shared_ptr<const std::vector<Known>>;  // by block; nullptr: none

  struct Warp {
    Knowledge known;
    Knowledge pending;        // read since the last fence
    uint32_t fenced_all = 0;  // a strong write publishes the block's accesses before this time,
    uint32_t fenced_own = 0;  // and the warp's before this one
    // What the warp published last, and what that was made from.
    Knowledge published, made_of;
    Known made_with;
  };
  struct Block {
    uint32_t flushed = 0;  // any warp's strong write publishes accesses before this time
    bool fenced = false;   // since the last barrier
    Knowledge known;       // of the warps that have not run yet, after the last barrier
    Knowledge pending;
    std::vector<Warp> warps;
  };

  const Block& block_at(uint64_t block) const { return blocks_[static_cast<size_t>(block)]; }
  // From now on, strong writes of the warp publish what it has done.
  void make_ready(uint64_t block, uint32_t warp);
  Warp& warp_of(Block& block, uint32_t warp);
  const Knowledge& known_by(const Block& block, uint32_t warp) const;
  static bool covers(const Knowledge& known, uint64_t block, uint32_t warp, uint32_t time);
  static bool covers(const Known& a, const Known& b);
  Knowledge join(const Knowledge& a, const Knowledge& b);
  // What a strong write of the warp publishes.
  Knowledge published_by(uint64_t block, uint32_t warp, bool releases);
  void learn(uint64_t block, uint32_t warp, const Knowledge& more, bool acquires);

  Needs needs_;
  BlockClocks& clocks_;
  std::vector<Block> blocks_;
  std::unordered_map<uint64_t, Knowledge> published_;  // by address
  uint64_t work_ = 0;
};

}  // namespace warpshop::emulator
