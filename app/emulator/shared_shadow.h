// Who wrote and who read each part of a block's shared memory since the last barrier: finds races even when the
// answer happens to be right, and reads of what nobody wrote.
//
// Two accesses race when they touch the same bytes from different threads, at least one writes (a value other than
// the one that is there), they are not both atomic, and neither a barrier of the block nor, within one warp, a
// __syncwarp lies between. These are the RAW, WAR and WAW hazards of compute-sanitizer's racecheck.
//
// Each granule (4 bytes; 1 where the kernel touches parts of words) has a tag for its last write and one for its
// reads:
//
//   bits 63..32 stamp     barrier interval, counted over all blocks that the emulation thread has run
//   bits 31..13 order     how often the thread's warp had synchronised
//   bits 12..3  thread    of the block; of reads by several, the last
//   bit  2      several   read by more than one lane of that warp at that order
//   bit  1      many      read by more than one warp
//   bit  0      atomic
#pragma once

#include <cstdint>
#include <vector>

namespace warpshop::emulator {

// The running warp, as the shadow needs it.
struct ShadowWarp {
  uint32_t first_thread = 0;    // of the block: 32 × warp
  uint32_t order = 0;           // __syncwarps so far
  bool lockstep = false;        // before compute capability 7.0: lanes of a warp are ordered by themselves
};

// A pair of accesses that may race. A write has to be compared with what is there before it counts.
struct Hazard {
  int lane = -1;                // of the running access; -1: none
  uint64_t address = 0;         // of the granule
  uint32_t other_thread = 0;
  int32_t other_instruction = -1;
  bool other_wrote = false;
  bool needs_values = false;    // write after write: a race only if the values differ
};

class SharedShadow {
 public:
  // Room for `size_bytes` of shared memory. `granule_bytes`: 1 or 4.
  void configure(uint32_t size_bytes, uint32_t granule_bytes);
  void start_block();
  // Every thread of the block has arrived at a barrier.
  void pass_barrier() { ++stamp_; }

  // Accesses of `bytes` bytes a lane; addresses are in range and aligned to `bytes`. The first hazard of each lane
  // goes to `hazards` (at most 32 are kept).
  void on_read(const ShadowWarp& warp, const uint64_t* address, uint32_t mask, int bytes, int32_t instruction,
               std::vector<Hazard>& hazards);
  void on_write(const ShadowWarp& warp, const uint64_t* address, uint32_t mask, int bytes, int32_t instruction,
                bool atomic, std::vector<Hazard>& hazards);
  // Lanes that would read a granule that nobody has written in this block.
  uint32_t unwritten(const uint64_t* address, uint32_t mask, int bytes) const;

 private:
  uint64_t tag(const ShadowWarp& warp, int lane) const {
    return uint64_t{stamp_} << 32 | uint64_t{warp.order & 0x7ffffu} << 13 | uint64_t{warp.first_thread + static_cast<uint32_t>(lane)} << 3;
  }
  bool is_now(uint64_t tag) const { return (tag >> 32) == stamp_; }
  void read_granule(const ShadowWarp& warp, int lane, uint64_t granule, int32_t instruction, std::vector<Hazard>& hazards);
  void write_granule(const ShadowWarp& warp, int lane, uint64_t granule, int32_t instruction, bool atomic,
                     std::vector<Hazard>& hazards);
  bool read_run(const ShadowWarp& warp, uint64_t first, int32_t instruction);

  int shift_ = 2;
  uint32_t first_stamp_ = 1;    // of the running block
  uint32_t stamp_ = 1;
  std::vector<uint64_t> writes_;
  std::vector<uint64_t> reads_;
  std::vector<int32_t> write_instructions_;
  std::vector<int32_t> read_instructions_;
};

}  // namespace warpshop::emulator
