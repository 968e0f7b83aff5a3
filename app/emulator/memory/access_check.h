// The way of every memory access: addresses, bounds, alignment, initialisation, the record for the models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "run/micro_op.h"
#include "run/warp.h"

namespace warpshop::emulator {

enum class AccessIntent : uint8_t { kRead, kWrite, kAtomic };

// As findings say it.
constexpr std::string_view verb(AccessIntent intent) {
  switch (intent) {
    case AccessIntent::kRead: return "read";
    case AccessIntent::kWrite: return "write";
    case AccessIntent::kAtomic: return "atomic";
  }
  return "";
}

// Host memory by device address. The distance between the two is kept as a number, since it points nowhere itself.
class HostView {
 public:
  HostView() = default;
  HostView(uint8_t* data, uint64_t base) : distance_(reinterpret_cast<uint64_t>(data) - base), valid_(true) {}
  uint8_t* operator+(uint64_t address) const { return reinterpret_cast<uint8_t*>(distance_ + address); }
  uint64_t distance() const { return distance_; }
  bool operator==(std::nullptr_t) const { return !valid_; }

 private:
  uint64_t distance_ = 0;
  bool valid_ = false;
};

inline bool read_only(ptx::Space space) { return space == ptx::Space::kConst || space == ptx::Space::kParam; }

// The region of global memory that holds all of the bytes, be it a buffer, a variable, or a block of malloc; none: there is
// none. A copy, since another thread may free the block; good for one access of the site.
std::optional<Region> region_of_global(Worker& worker, uint32_t site, uint64_t address, uint64_t bytes);

// The region of a space other than global; for local memory it is that of lane 0 and only its bounds count.
Region region_of_space(Warp& warp, const MicroOp* op, ptx::Space space);

struct CheckedAccess {
  uint32_t lanes = 0;           // lanes whose access may go on
  bool one_region = false;      // every running lane may, and all lie in the region behind `host`
  bool contiguous = false;      // one_region, full warp, lane l at address[0] + l × bytes
  bool same = false;            // one_region, full warp, all lanes at address[0]
  bool waits = false;           // one_region: the store was taken and will be made (column_stores.h)
  const AddressPattern* pattern = nullptr;   // with one_region: of the addresses
  HostView host;                // with one_region: of the lanes' addresses
  HostView written;             // likewise of the shadow; nullptr: nothing to keep
};

// What a store is about to write, for telling whether two writes differ.
class StoreValues {
 public:
  virtual ~StoreValues() = default;
  virtual void lane(int lane, uint8_t* to) const = 0;   // the bytes of one lane's access
  // Whole words of all 32 lanes, if the caller lets check_access keep them for later (CheckedAccess::waits).
  virtual const uint32_t* words() const { return nullptr; }
};

// Computes the addresses of the running lanes into Worker::access, checks them for an access of `bytes` bytes a
// lane, notes findings, and hands the access to the sink.
CheckedAccess check_access(Warp& warp, const MicroOp* op, int bytes, AccessIntent intent,
                           const StoreValues* values = nullptr);

// For handlers that check by themselves what they can (shared_loads.cc). Do all lanes of the pattern, whose first lane is
// at `first`, lie in the region, at multiples of `bytes`? Sizes stay far below 2^63; addresses may be anything, so nothing
// is added to the distances between them.
inline bool lies_in(const Region& region, const AddressPattern& pattern, uint64_t first, int bytes) {
  if (region.size_bytes < static_cast<uint64_t>(bytes)) return false;
  const auto place = static_cast<int64_t>(first - region.base);
  const auto limit = static_cast<int64_t>(region.size_bytes) - bytes;
  const bool inside = place >= 0 && place <= limit && pattern.lowest >= -place && pattern.highest <= limit - place;
  return inside && ((first | pattern.bits) & static_cast<uint64_t>(bytes - 1)) == 0;
}
// Lanes whose access reads shared memory that nobody has written.
void note_unwritten_shared(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes);

// Works out which part of shared memory each site may reach; once the worker's block has its memory.
void find_shared_regions(Worker& worker);

struct HostPlace {
  uint8_t* data = nullptr;
  uint8_t* written = nullptr;
};
// For lanes that check_access let through without one_region.
HostPlace host_of_lane(Warp& warp, const MicroOp* op, uint64_t address, ptx::Space space, int lane, int bytes);

// The space a lane's access goes to: as written, or found from a generic address.
ptx::Space lane_space(Warp& warp, const MicroOp* op, int lane);

}  // namespace warpshop::emulator
