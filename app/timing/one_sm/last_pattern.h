// A site's accesses mostly repeat one pattern at other places, so what follows from the pattern is
// worked out once.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "emulator/access.h"

namespace warpshop::timing {

// Of the lowest active lane.
inline uint64_t first_address(const emulator::WarpAccess& access) {
  return access.address[static_cast<size_t>(std::countr_zero(access.active_mask))];
}

// What is known of a site's accesses with the lanes and the distances between addresses that the
// last one had, as reported to one sink: by the first address's place in its line, or in its word
// of shared memory.
template <typename Known>
class LastPattern {
 public:
  struct Found {
    Known* known = nullptr;
    bool again = false;  // it was found before; else it is to be set
  };
  // Takes each access of the site. Only the lines and banks of ordinary loads and stores follow
  // from a pattern: an atomic's cost follows from single addresses, and local memory interleaves
  // the lanes.
  Found find(const emulator::AccessSite& site, const emulator::WarpAccess& access) {
    using emulator::AccessKind;
    const bool global = access.space == ptx::Space::kGlobal;
    const bool follows = (global || access.space == ptx::Space::kShared) &&
                         site.path == emulator::AccessPath::kOrdinary &&
                         (site.kind == AccessKind::kLoad || site.kind == AccessKind::kStore);
    if (!follows || !follows_ || !access.same_pattern || access.space != space_) {
      number_.fill(0);
      count_ = 0;
    }
    follows_ = follows;
    space_ = access.space;
    uint8_t& number = number_[first_address(access) % (global ? kPlaces : 4)];
    const bool again = number != 0;
    if (!again) number = static_cast<uint8_t>(++count_);
    if (count_ > known_.size()) known_.resize(count_);
    return {&known_[number - 1U], again};
  }

 private:
  static constexpr size_t kPlaces = 128;
  std::array<uint8_t, kPlaces> number_{};  // by place: 1 + index; 0: not known
  size_t count_ = 0;                       // of places that are known
  std::vector<Known> known_;
  bool follows_ = false;
  ptx::Space space_ = ptx::Space::kGlobal;
};

}  // namespace warpshop::timing
