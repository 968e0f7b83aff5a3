// Races between blocks in global memory: a block writes what another reads or writes differently in
// the same launch, with nothing ordering the two.
//
// Each granule of a watched buffer (4 bytes; 1 if the kernel stores parts of words) has the last
// block that wrote it and a block that read it. Usually the 32 granules of a line belong to one
// block: then a line is one shadow word with the block's tag and a bit for each granule that it has
// touched. Lines shared by several blocks are tracked granule by granule; the memory for this is
// only touched for such lines.
//
// Watched: the buffers that the kernel may store to, as derived from its stores' addresses
// (provenance.h), but for those above kMaxWatchedBytes. Kernels that use fences, acquire or release
// may order blocks by their own protocol: of them only the writes are watched.
//
// The shadow also records what the launch has written, so that stores need not record it twice
// (mark_written).
//
// Of two blocks on two threads that touch a granule at the same moment, at least one finds the
// other. A block claims a line by exchanging its tag, and only the thread that runs this block adds
// bits to it; another block locks the tag, turns the bits into granules and leaves a shared line,
// whose granules change under the lock alone. Each access first records itself, then looks whether
// its lines are still its own and what others have recorded, with a full fence between the two.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/standard.h"

namespace warpshop::emulator {

inline constexpr uint64_t kMaxWatchedBytes = uint64_t{256} << 20;

// Two blocks that access the same place.
struct BlockHazard {
  int lane = -1;
  uint64_t offset = 0;       // in the buffer
  uint64_t other_block = 0;  // linear; undefined if `several`
  bool several = false;
  bool other_wrote = false;
  bool other_atomic = false;  // with other_wrote: by atomics only
  bool other_strong = false;  // without: by strong loads only
  bool needs_values = false;  // write after write: a race only if the values differ
};

// An access of a warp to one buffer.
struct GlobalTouch {
  uint64_t block = 0;  // linear
  const uint64_t* address = nullptr;
  uint64_t base = 0;  // of the buffer
  uint32_t mask = 0;
  int bytes = 4;            // per lane
  bool contiguous = false;  // all lanes, lane l at address[0] + l × bytes
  bool atomic = false;      // or a strong load or store (memory_flags.h)
};

// Calls visit(number of the granule, lane) for everything the access touches, lane by lane. A
// granule is 1 << shift bytes.
template <typename Visit>
void visit_granules(const GlobalTouch& touch, int shift, Visit visit) {
  const auto granules = static_cast<uint32_t>(std::max(1, touch.bytes >> shift));
  for (uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t first = touch.address[lane] >> shift;
    for (uint32_t n = 0; n < granules; ++n) visit(first + n, lane);
  }
}

class GlobalShadow {
 public:
  // `reads`: whether the kernel may also load from the buffer.
  GlobalShadow(uint64_t size_bytes, uint32_t granule_bytes, bool reads);

  // Must precede the start of the threads if there are several.
  void expect_several_threads() { writers_.several_threads = readers_.several_threads = true; }

  // Thread-safe then.
  void on_read(const GlobalTouch& touch, std::vector<BlockHazard>& hazards);
  void on_write(const GlobalTouch& touch, std::vector<BlockHazard>& hazards);

  // For deferred stores (column_stores.h). True if the block owns the line of the word at `offset`.
  // Granules must be words.
  bool owns(uint64_t offset, uint64_t block) const;
  // Adds words to the line of the one at `offset`, a bit for each, if the block owns it.
  void add_words(uint64_t offset, uint64_t block, uint32_t words);
  // Must follow add_words: owns() then says whether the block owned the line throughout.
  void settle() const;
  bool keeps_words() const { return shift_ == 2 && writers_ && !readers_; }
  static constexpr uint64_t kLineBytes = 128;  // with keeps_words()

  // True if the launch has written everything that the access touches.
  bool covers(const GlobalTouch& touch) const;
  // Sets the flags in `written` (one per byte of the buffer) of the bytes that the launch has
  // written. True if these are all.
  bool mark_written(uint8_t* written) const;

 private:
  // A line: the block that touched it first, and which granules. Once another block has touched it,
  // the tag says so and the granules count as well.
  struct Line {
    uint32_t tag = 0;
    uint32_t bits = 0;
  };
  struct Owners {
    using Lines = std::unique_ptr<Line[], decltype(&std::free)>;
    using Granules = std::unique_ptr<uint32_t[], decltype(&std::free)>;
    Lines lines{nullptr, &std::free};
    Granules granules{nullptr, &std::free};  // of shared lines
    bool several_threads = false;
    explicit operator bool() const { return lines != nullptr && granules != nullptr; }
    AtomicRef<uint32_t> tag(uint64_t line) const { return AtomicRef<uint32_t>(lines[line].tag); }
    AtomicRef<uint32_t> bits(uint64_t line) const { return AtomicRef<uint32_t>(lines[line].bits); }
    AtomicRef<uint32_t> granule(uint64_t n) const { return AtomicRef<uint32_t>(granules[n]); }
    void allocate(uint64_t line_count);
    // The block with tag `me` touches these granules of a line. False: another block did before.
    // Sets `*fresh` if this was not yet recorded.
    bool add(uint64_t line, uint32_t me, uint32_t bits, bool* fresh = nullptr) const;
    // Makes the line a shared one if it is not, for the calling thread alone until unlock.
    void lock_shared(uint64_t line) const;
    void unlock_shared(uint64_t line) const;
    // What the thread has recorded is visible to all others before it looks at what they have.
    void settle() const;
    // The line's tag when nobody has locked it.
    uint32_t tag_of_unlocked(uint64_t line) const;
    // The last block that touched a granule; 0: none.
    uint32_t owner_of(uint64_t line, uint32_t bit) const;
    // The granules of a line that any block has touched.
    uint32_t touched(uint64_t line) const;
  };

  template <typename Visit>
  void for_each_line(const GlobalTouch& touch, Visit visit) const;
  void record(const Owners& owners, const GlobalTouch& touch, uint32_t me) const;
  bool write_own_words(const GlobalTouch& touch, uint32_t me);
  int lane_at(const GlobalTouch& touch, uint64_t granule) const;
  void write_mixed(const GlobalTouch& touch, uint32_t me, uint64_t line, uint32_t bits,
                   std::vector<BlockHazard>& hazards);
  void add_reader_hazards(const GlobalTouch& touch, uint32_t me, uint64_t line, uint32_t bits,
                          std::vector<BlockHazard>& hazards) const;
  void add_writer_hazards(const GlobalTouch& touch, uint32_t me, uint64_t line, uint32_t bits,
                          std::vector<BlockHazard>& hazards) const;
  void read_mixed(uint32_t me, uint64_t line, uint32_t bits);

  uint64_t size_bytes_ = 0;
  int shift_ = 2;
  // Tags are 4 × (block + 1), plus 1 for atomics and strong accesses, plus 2 for plain ones.
  Owners writers_;
  Owners readers_;  // or kSeveralBlocks and kinds in a granule; may be absent
};

}  // namespace warpshop::emulator
