// Races between blocks in global memory: a block writes what another reads or writes differently in the same launch,
// and nothing orders the two.
//
// Each granule of a watched buffer (4 bytes; 1 where the kernel stores parts of words) remembers the last block that
// wrote it and the block that read it. Watched are the buffers that the kernel may store to, found from where the
// addresses of its stores come (provenance.h). Not watched: kernels that use fences or acquire and release, which
// may order blocks by a protocol of their own, and buffers above kMaxWatchedBytes.
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
  bool needs_values = false;    // write after write: a race only if the values differ
};

class GlobalShadow {
 public:
  // `reads`: whether the kernel may load from the buffer, too.
  GlobalShadow(uint64_t size_bytes, uint32_t granule_bytes, bool reads);

  // Accesses of `bytes` bytes at `offset[lane]` of the buffer by block `block`. Called by several threads at once.
  void on_read(uint64_t block, const uint64_t* address, uint64_t base, uint32_t mask, int bytes,
               std::vector<BlockHazard>& hazards);
  void on_write(uint64_t block, const uint64_t* address, uint64_t base, uint32_t mask, int bytes, bool atomic,
                std::vector<BlockHazard>& hazards);

 private:
  using Tags = std::unique_ptr<uint32_t[], decltype(&std::free)>;
  static std::atomic_ref<uint32_t> at(const Tags& tags, uint64_t granule) {
    return std::atomic_ref<uint32_t>(tags[granule]);
  }
  int shift_ = 2;
  Tags writers_;                // 0: nobody; else 2 × (block + 1), plus 1 for an atomic
  Tags readers_;                // 0: nobody; kSeveral: more than one block; else 2 × (block + 1); may be absent
};

}  // namespace warpshop::emulator
