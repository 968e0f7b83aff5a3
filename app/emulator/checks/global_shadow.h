// Races between blocks in global memory: a block writes what another reads or writes differently in the same launch,
// and nothing orders the two.
//
// Each granule of a watched buffer (4 bytes; 1 where the kernel stores parts of words) has a last block that wrote it
// and a block that read it. Mostly the 32 granules of a line belong to one block: a line is one word of shadow, the
// block's tag and a bit for each granule it has touched. Lines that several blocks share are kept granule by granule;
// the memory for those is only touched where there are such lines.
//
// Watched are the buffers that the kernel may store to, found from where the addresses of its stores come
// (provenance.h). Not watched: kernels that use fences or acquire and release, which may order blocks by a protocol of
// their own, and buffers above kMaxWatchedBytes.
//
// The shadow also knows what the launch has written, so that a store need not note it a second time (mark_written).
// Several threads meet in a line without losing such a note: a block claims a line by exchanging its tag, only the
// thread that runs this block adds bits to it, and who comes later leaves the bits alone and writes granules. What
// threads can miss of each other is a hazard, when both come to one line at the same moment.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace warpshop::emulator {

inline constexpr uint64_t kMaxWatchedBytes = uint64_t{256} << 20;

// Two blocks at one place.
struct BlockHazard {
  int lane = -1;
  uint64_t offset = 0;          // in the buffer
  uint64_t other_block = 0;     // linear; meaningless when `several`
  bool several = false;
  bool other_wrote = false;
  bool other_atomic = false;    // with other_wrote: by atomics alone
  bool needs_values = false;    // write after write: a race only if the values differ
};

// An access of a warp to one buffer.
struct GlobalTouch {
  uint64_t block = 0;           // linear
  const uint64_t* address = nullptr;
  uint64_t base = 0;            // of the buffer
  uint32_t mask = 0;
  int bytes = 4;                // a lane
  bool contiguous = false;      // all lanes, lane l at address[0] + l × bytes
  bool atomic = false;
};

class GlobalShadow {
 public:
  // `reads`: whether the kernel may load from the buffer, too.
  GlobalShadow(uint64_t size_bytes, uint32_t granule_bytes, bool reads);

  // Called by several threads at once.
  void on_read(const GlobalTouch& touch, std::vector<BlockHazard>& hazards);
  void on_write(const GlobalTouch& touch, std::vector<BlockHazard>& hazards);

  // For stores that wait (column_stores.h). Is the line of the word at `offset` this block's? A word's granule.
  bool owns(uint64_t offset, uint64_t block) const;
  // Adds words to the line of the one at `offset`, which the block owns that the thread runs: a bit for each.
  void add_words(uint64_t offset, uint32_t words);
  bool keeps_words() const { return shift_ == 2 && writers_ && !readers_; }
  static constexpr uint64_t kLineBytes = 128;   // with keeps_words()

  // Has the launch written all that the access touches?
  bool covers(const GlobalTouch& touch) const;
  // Sets the bytes of `written` (one for each byte of the buffer) that the launch has written. True: it was all.
  bool mark_written(uint8_t* written) const;

 private:
  // A line: who touched it first, and which granules. Once another has come, the tag says so and granules count, too.
  struct Line {
    uint32_t tag = 0;
    uint32_t bits = 0;
  };
  struct Owners {
    using Lines = std::unique_ptr<Line[], decltype(&std::free)>;
    using Granules = std::unique_ptr<uint32_t[], decltype(&std::free)>;
    Lines lines{nullptr, &std::free};
    Granules granules{nullptr, &std::free};   // of mixed lines
    explicit operator bool() const { return lines != nullptr && granules != nullptr; }
    std::atomic_ref<uint32_t> tag(uint64_t line) const { return std::atomic_ref<uint32_t>(lines[line].tag); }
    std::atomic_ref<uint32_t> bits(uint64_t line) const { return std::atomic_ref<uint32_t>(lines[line].bits); }
    std::atomic_ref<uint32_t> granule(uint64_t n) const { return std::atomic_ref<uint32_t>(granules[n]); }
    void allocate(uint64_t line_count);
    // The block that `me` stands for touches these granules of a line. False: another was here before.
    bool add(uint64_t line, uint32_t me, uint32_t bits) const;
    // Makes the line mixed, if it is not.
    void spread(uint64_t line) const;
    // Who touched a granule last; 0: nobody.
    uint32_t owner_of(uint64_t line, uint32_t bit) const;
    // The granules of a line that anybody has touched.
    uint32_t touched(uint64_t line) const;
  };

  template <typename Visit>
  void for_each_line(const GlobalTouch& touch, Visit visit) const;
  int lane_at(const GlobalTouch& touch, uint64_t granule) const;
  void write_mixed(const GlobalTouch& touch, uint32_t me, uint64_t line, uint32_t bits,
                   std::vector<BlockHazard>& hazards);
  void meet_readers(const GlobalTouch& touch, uint32_t me, uint64_t line, uint32_t bits,
                    std::vector<BlockHazard>& hazards) const;
  void meet_writers(const GlobalTouch& touch, uint32_t me, uint64_t line, uint32_t bits,
                    std::vector<BlockHazard>& hazards) const;
  void read_mixed(uint32_t me, uint64_t line, uint32_t bits);

  uint64_t size_bytes_ = 0;
  int shift_ = 2;
  Owners writers_;              // tag 4 × (block + 1), plus 1 for atomics, plus 2 for plain stores
  Owners readers_;              // tag 4 × (block + 1), or kSeveralBlocks in a granule; may be absent
};

}  // namespace warpshop::emulator
