// The common path of all memory accesses: addresses, bounds, alignment, initialisation, and the
// record for the models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "checks/access_intent.h"
#include "memory/address_math.h"
#include "memory/address_space.h"
#include "state/micro_op.h"
#include "state/regions.h"
#include "state/warp.h"

namespace warpshop::emulator {

// Host memory indexed by device address. Stored as a difference, since it is not itself a valid
// pointer.
class HostView {
 public:
  HostView() = default;
  HostView(uint8_t* data, uint64_t base)
      : distance_(reinterpret_cast<uint64_t>(data) - base), valid_(true) {}
  uint8_t* operator+(uint64_t address) const {
    return reinterpret_cast<uint8_t*>(distance_ + address);
  }
  uint64_t distance() const { return distance_; }
  bool operator==(std::nullptr_t) const { return !valid_; }

 private:
  uint64_t distance_ = 0;
  bool valid_ = false;
};

struct CheckedAccess {
  uint32_t lanes = 0;       // lanes whose access may proceed
  bool one_region = false;  // all running lanes may, and all are in the region at `host`
  bool contiguous = false;  // one_region, full warp, lane l at address[0] + l × bytes
  bool same = false;        // one_region, full warp, all lanes at address[0]
  bool waits = false;       // one_region: the store has been deferred (column_stores.h)
  const AddressPattern* pattern = nullptr;  // with one_region: of the addresses
  HostView host;                            // with one_region: of the lanes' addresses
  HostView written;                         // likewise of the shadow; nullptr: nothing to mark
};

// Computes the running lanes' addresses into EmulationThread::access, checks them for an access of
// `bytes` bytes per lane, notes findings, and passes the access to the sink.
CheckedAccess check_access(Warp& warp, const MicroOp* op, int bytes, AccessIntent intent,
                           const StoreValues* values = nullptr);

// For handlers with their own checks (shared_loads.cc). True if all lanes of the pattern, with the
// first at `first`, are inside the region and aligned to `bytes`. Sizes are far below 2^63, but
// addresses are arbitrary, so nothing is added to their differences.
inline bool lies_in(const Region& region, const AddressPattern& pattern, uint64_t first,
                    int bytes) {
  if (region.size_bytes < static_cast<uint64_t>(bytes)) return false;
  const auto place = static_cast<int64_t>(first - region.base);
  const auto limit = static_cast<int64_t>(region.size_bytes) - bytes;
  const bool inside =
      place >= 0 && place <= limit && pattern.lowest >= -place && pattern.highest <= limit - place;
  return inside && ((first | pattern.bits) & static_cast<uint64_t>(bytes - 1)) == 0;
}
// Reports lanes that read shared memory that was never written.
void note_unwritten_shared(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes);

struct HostPlace {
  uint8_t* data = nullptr;
  uint8_t* written = nullptr;
};
// For lanes admitted by check_access without one_region.
HostPlace host_of_lane(Warp& warp, const MicroOp* op, uint64_t address, ptx::Space space, int lane,
                       int bytes);

// The space of a lane's access: as written, or derived from a generic address.
ptx::Space lane_space(Warp& warp, const MicroOp* op, int lane);

// Where the access of a lane that check_access has admitted goes; `address` is that lane's.
inline HostPlace admitted_place(Warp& warp, const MicroOp* op, const CheckedAccess& checked,
                                uint64_t address, int lane, int bytes) {
  if (!checked.one_region)
    return host_of_lane(warp, op, address, lane_space(warp, op, lane), lane, bytes);
  return {checked.host + address, checked.written == nullptr ? nullptr : checked.written + address};
}

}  // namespace warpshop::emulator
