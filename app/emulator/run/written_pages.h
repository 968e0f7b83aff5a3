// What a block has written to global memory, so that it can be taken back: pages as they were before it, and as they
// were at some moment.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "run/launch_state.h"

namespace warpshop::emulator {

struct PageImage {
  std::vector<uint8_t> data;
  std::vector<uint8_t> written;             // empty: the region does not note it
};
// By region and number of the page in it.
using PageImages = std::map<std::pair<size_t, uint64_t>, PageImage>;

class WrittenPages {
 public:
  static constexpr uint64_t kPageBytes = 512;
  explicit WrittenPages(Launch& launch) : launch_(launch) {}

  // To be told before every write.
  void note_write(uint64_t address, uint64_t bytes);
  // The pages noted so far, as they are.
  PageImages now() const;
  // Brings memory back to a moment; pages that were written only later become what they were at first.
  void restore(const PageImages& then);

 private:
  PageImage image_of(const std::pair<size_t, uint64_t>& page) const;

  Launch& launch_;
  PageImages first_;
  std::pair<size_t, uint64_t> last_{~size_t{0}, 0};
};

uint64_t bytes_of(const PageImages& pages);

}  // namespace warpshop::emulator
