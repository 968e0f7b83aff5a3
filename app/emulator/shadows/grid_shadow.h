// Races between blocks in global memory, in kernels that order their blocks by fences: by flags,
// counters, locks and barriers of their own. GlobalShadow assumes that nothing orders blocks, and
// leaves such kernels to this.
//
// Each granule that plain accesses have touched (4 bytes; 1 if the kernel stores parts of words)
// has the last write and two reads, the latest by two different blocks, each with its block, warp,
// time and site. Two BlockOrders tell whether a write happens before: one as the manual says, the
// other as if every strong access had a fence, which tells a missing fence from a missing flag.
//
// A plain store to a word that has been accessed by atomics or strong loads is one of a flag or a
// lock: it counts as a strong store, and whoever reads it learns what its warp may publish.
//
// For one emulation thread: what orders blocks is what happened in this run.
#pragma once

#include <cstdint>
#include <vector>

#include "shadows/block_order.h"
#include "shadows/global_shadow.h"
#include "shadows/line_table.h"

namespace warpshop::emulator {

// Accesses of two blocks to one place that nothing orders.
struct GridHazard {
  enum class Missing : uint8_t {
    kOrder,        // no flag, counter or lock is between the two
    kFenceBefore,  // one is, but its writer had no fence before it
    kFenceAfter,   // its reader has had no fence after it
  };
  Missing missing = Missing::kOrder;
  int lane = -1;             // of the running access
  uint64_t address = 0;      // of the granule
  uint64_t other_block = 0;  // linear
  uint32_t other_site = 0;
  bool other_wrote = false;
};

// Who makes an access.
struct GridWarp {
  uint64_t block = 0;  // linear
  uint32_t warp = 0;   // of the block
  uint32_t site = 0;
};

class GridShadow {
 public:
  // A launch of more blocks is not watched.
  static constexpr uint64_t kMostBlocks = 1024;
  GridShadow(uint64_t blocks, uint32_t granule_bytes);
  GridShadow(const GridShadow&) = delete;
  GridShadow& operator=(const GridShadow&) = delete;

  // False once there is too much to watch: nothing more is reported.
  bool watches() const { return !off_; }
  void pass_barrier(uint64_t block);
  void fence(uint64_t block, uint32_t warp);
  // A strong access to a word; `roles`: OrderRole.
  void order_by(const GridWarp& who, uint64_t address, uint32_t roles);

  // A load of a warp, plain or strong; addresses are in range and aligned. Adds hazards (at most
  // kMostGlobalHazards).
  void on_read(const GridWarp& who, const GlobalTouch& touch, std::vector<GridHazard>& hazards);
  // A plain store that changes memory.
  void on_write(const GridWarp& who, const GlobalTouch& touch, std::vector<GridHazard>& hazards);

 private:
  struct Tag {
    uint32_t time = 0;  // 0: none
    uint16_t block = 0;
    uint16_t warp = 0;
    uint32_t site = 0;
  };
  struct Granule {
    Tag write, read, read_before;
    bool is_flag = false;  // accessed by atomics or strong loads
  };

  bool gives_up();
  bool ordered(const GridWarp& who, const Tag& other) const;
  void add(const GridWarp& who, const Tag& other, bool wrote, int lane, uint64_t address,
           std::vector<GridHazard>& hazards) const;
  Tag tag_of(const GridWarp& who);
  template <typename Visit>
  void for_each_granule(const GlobalTouch& touch, Visit visit);

  int shift_ = 2;
  bool off_ = false;
  BlockClocks clocks_;  // by block
  BlockOrder by_fences_;
  BlockOrder by_words_;
  LineTable<Granule> granules_;
};

}  // namespace warpshop::emulator
