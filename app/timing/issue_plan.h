// The requests that a site's accesses are issued as, computed once for all executions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/access.h"
#include "models/banks.h"

namespace warpshop::timing {

struct IssuePlan {
  int count = 0;  // accesses issued: 0, 1 or 2
  std::array<uint32_t, 2> width{};
  std::array<int64_t, 2> offset{};  // bytes from each lane's own address
  bool elected = false;
  models::SharedAccess shared_access = models::SharedAccess::kLoad;

  // An elected access is made only by the lowest active lane.
  uint32_t lanes(uint32_t active_mask) const {
    return elected ? active_mask & (0 - active_mask) : active_mask;
  }
};

// The shared-memory half of a cp.async; its global half is the site before.
bool is_copy_target(const emulator::AccessSite& site);
// The mbarrier object of a copy in bulk.
bool is_copy_object(const emulator::AccessSite& site);

// What a site has to do with mbarrier objects.
enum class BarrierRole : uint8_t { kNone, kArrives, kTests, kCopies };
BarrierRole barrier_role(const emulator::AccessSite& site);

IssuePlan plan_of(const emulator::AccessSite& site);

}  // namespace warpshop::timing
