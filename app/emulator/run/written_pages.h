// Undo log of a block's writes to global memory: pages as they were before the first write, and as
// they were at a checkpoint.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "state/launch_state.h"

namespace warpshop::emulator {

struct PageImage {
  std::vector<uint8_t> data;
  std::vector<uint8_t> written;  // empty: the region does not track it
};
// Key: region and index of the page in it.
using PageImages = std::map<std::pair<size_t, uint64_t>, PageImage>;

class WrittenPages {
 public:
  static constexpr uint64_t kPageBytes = 512;
  explicit WrittenPages(Launch& launch) : launch_(launch) {}

  // Must be called before every write.
  void note_write(uint64_t address, uint64_t bytes);
  // The current contents of the pages noted so far.
  PageImages now() const;
  // Restores the contents at a checkpoint; pages first written later get their original contents.
  void restore(const PageImages& then);

 private:
  PageImage image_of(const std::pair<size_t, uint64_t>& page) const;

  Launch& launch_;
  PageImages first_;
  std::pair<size_t, uint64_t> last_{~size_t{0}, 0};
};

uint64_t bytes_of(const PageImages& pages);

}  // namespace warpshop::emulator
