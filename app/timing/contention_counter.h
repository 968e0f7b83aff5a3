// Counts the contention of the atomics of one emulation thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "emulator/access.h"
#include "timing/contention.h"

namespace warpshop::timing {

// True of `atom` and `red`.
bool is_atomic_instruction(const emulator::AccessSite& site);

class ContentionCounter {
 public:
  explicit ContentionCounter(const std::vector<emulator::AccessSite>& sites);
  bool counts(size_t site) const { return sites_[site].element_bytes != 0; }
  // `issued`: the lanes with which the back end issues the access.
  void add(uint64_t block, const emulator::WarpAccess& access, uint32_t issued);
  // The block has ended: no more hits on its copies of shared words.
  void end_block(uint64_t block);

  // Of all threads of a launch that has ended.
  static LaunchContention merge(std::span<ContentionCounter* const> counters);

 private:
  struct Site {
    uint8_t element_bytes = 0;  // 0: not counted
    uint8_t elements = 1;
    bool counts_lanes = false;  // see Contention::counted
  };
  // Hits by word, from the start of a page or of a block's shared memory.
  using Hits = std::vector<uint64_t>;
  struct SharedWord {
    uint64_t hits = 0, copies = 0, most = 0;
  };
  struct CachedPage {
    uint64_t number = 0;
    Hits* hits = nullptr;
  };

  size_t slot_of(uint64_t offset) const { return static_cast<size_t>(offset >> granule_shift_); }
  Hits* page(uint64_t number);
  void drop_last_page();
  void hit(ptx::Space space, uint64_t address, uint64_t lanes);

  std::vector<Site> sites_;
  int granule_shift_ = 2;  // of the smallest word
  Contention global_, shared_;
  std::vector<SiteContention> by_site_;
  std::map<uint64_t, std::unique_ptr<Hits>> pages_;  // by address / kContentionPageBytes
  uint64_t first_page_left_out_ = ~uint64_t{0};
  std::array<CachedPage, 1024> cache_{};       // by number modulo its size
  std::unordered_map<uint64_t, Hits> blocks_;  // that have not ended, by linear index
  uint64_t block_ = ~uint64_t{0};              // the one of block_hits_
  Hits* block_hits_ = nullptr;
  Hits spare_;
  std::vector<SharedWord> shared_words_;
};

}  // namespace warpshop::timing
