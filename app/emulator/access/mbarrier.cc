#include "access/mbarrier.h"

#include <cstring>
#include <utility>

#include "access/access_check.h"
#include "access/bulk_copy.h"
#include "access/cluster_access.h"
#include "state/cluster.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator::mbarrier {
namespace {

constexpr uint64_t kCountMask = (uint64_t{1} << 20) - 1;
constexpr uint64_t kBytesMask = (uint64_t{1} << 22) - 1;
constexpr uint64_t kPhase = uint64_t{1} << 63;

struct Object {
  uint64_t pending = 0;
  uint64_t expected = 0;
  uint64_t bytes = 0;
  bool odd = false;

  static Object unpack(uint64_t bits) {
    return {bits & kCountMask, (bits >> 20) & kCountMask, (bits >> 40) & kBytesMask,
            (bits & kPhase) != 0};
  }
  uint64_t pack() const {
    return (pending & kCountMask) | (expected & kCountMask) << 20 | (bytes & kBytesMask) << 40 |
           uint64_t{1} << 62 | (odd ? kPhase : 0);
  }
};

// A phase completes when no arrivals are pending and no bytes are outstanding. What was done before
// the arrivals happens before everything after a successful test; in global memory, the end of the
// phase counts as a barrier of the block.
void put(Warp& warp, Block& owner, uint64_t address, Object object, uint8_t* at) {
  if (object.pending == 0 && object.bytes == 0) {
    object.pending = object.expected;
    object.odd = !object.odd;
    owner.complete_phase(address);
    if (GridShadow* grid = warp.worker->launch->grid_shadow.get()) grid->pass_barrier(owner.linear);
    if (Cluster* cluster = owner.cluster;
        cluster != nullptr && cluster->shared_objects.count({owner.rank, address}) > 0) {
      cluster->floor = ++cluster->now;
    }
    if (PathSink* path = warp.worker->path) path->on_phase(owner.linear, address);
  }
  const uint64_t fresh = object.pack();
  std::memcpy(at, &fresh, 8);
}

// `lanes`: those that arrive at this object with one instruction.
void note_arrival(const Warp& warp, uint32_t lanes, Block& owner, uint64_t address) {
  if (&owner == warp.block) {
    owner.shadow.arrive_at_object(warp.index, lanes == warp.live ? ~0u : lanes, address);
  } else {
    owner.shadow.arrive_from_outside(address);
  }
}

// Those of `lanes` that access this address.
uint32_t lanes_at(const Warp& warp, uint32_t lanes, uint64_t address) {
  uint32_t found = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (warp.worker->access.address[static_cast<size_t>(lane)] == address) found |= 1u << lane;
  }
  return found;
}

// Calls change(object, lane) for each lane in turn; it returns whether it has changed the object.
template <bool kArrives = false, typename Change>
const MicroOp* change_each(Warp& warp, const MicroOp* op, AccessIntent intent, Change change) {
  const CheckedAccess checked = check_access(warp, op, 8, intent);
  uint64_t arrived_at = ~uint64_t{0};
  for (uint32_t rest = checked.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = warp.worker->access.address[static_cast<size_t>(lane)];
    uint8_t* at = admitted_place(warp, op, checked, address, lane, 8).data;
    uint64_t bits;
    std::memcpy(&bits, at, 8);
    Object object = Object::unpack(bits);
    Block& owner =
        warp.worker->launch->program->maps_cluster ? *owner_of(warp, address) : *warp.block;
    const uint64_t place = address & kMappedOffset;
    if (&owner != warp.block) owner.cluster->shared_objects.insert({owner.rank, place});
    if (kArrives && std::exchange(arrived_at, address) != address)
      note_arrival(warp, lanes_at(warp, rest, address), owner, place);
    if (change(object, lane)) put(warp, owner, place, object, at);
  }
  return op + 1;
}

uint32_t number(Warp& warp, const MicroOp* op, int lane) { return warp.reg<uint32_t>(op->b)[lane]; }

void give_state(Warp& warp, const MicroOp* op, int lane, const Object& object) {
  if (op->d != kNoRegister) warp.reg<uint64_t>(op->d)[lane] = object.pack();
}

template <bool kDrop, bool kExpect>
const MicroOp* arrive_with(Warp& warp, const MicroOp* op) {
  return change_each<true>(warp, op, AccessIntent::kAtomic, [&](Object& object, int lane) {
    const uint32_t count = kExpect ? 1 : number(warp, op, lane);
    give_state(warp, op, lane, object);
    if (kExpect) object.bytes = (object.bytes + number(warp, op, lane)) & kBytesMask;
    if (kDrop) object.expected = (object.expected - count) & kCountMask;
    object.pending = (object.pending - count) & kCountMask;
    return true;
  });
}

template <bool kParity>
const MicroOp* test(Warp& warp, const MicroOp* op) {
  bulk_copy::arrive(warp, op);
  uint32_t complete = 0;
  uint64_t tested = 0, passed = ~uint64_t{0};
  change_each(warp, op, AccessIntent::kAtomic, [&](Object& object, int lane) {
    tested = warp.worker->access.address[static_cast<size_t>(lane)];
    const bool odd = kParity ? (number(warp, op, lane) & 1u) != 0
                             : (warp.reg<uint64_t>(op->b)[lane] & kPhase) != 0;
    if (object.odd != odd) {
      complete |= 1u << lane;
      if (std::exchange(passed, tested) != tested)
        warp.block->shadow.pass_object(warp.index, tested & kMappedOffset);
    } else {
      warp.polled_object = op;
      warp.object_arrivals = static_cast<uint32_t>(object.pending);
      constexpr uint64_t kSign = (kBytesMask + 1) / 2;
      warp.object_bytes = static_cast<uint32_t>((object.bytes ^ kSign) - kSign);
    }
    return false;
  });
  if (PathSink* path = warp.worker->path) {
    path->on_test(warp.block->linear, warp.index, op->site, tested, (warp.mask & ~complete) == 0);
  }
  if ((warp.mask & ~complete) != 0) {
    give_turn(warp, false);
  } else {
    warp.polled_object = nullptr;
  }
  if (complete != 0) warp.known_arrivals = warp.block->arrivals;
  if (complete != 0 && warp.block->cluster != nullptr) {
    warp.block->object_passed = ++warp.block->cluster->now;
    warp.block->may_follow_others = true;
  }
  if (op->d != kNoRegister) {
    uint32_t* p = warp.reg<uint32_t>(op->d);
    *p = (*p & ~warp.mask) | complete;
  }
  return op + 1;
}

}  // namespace

const MicroOp* init(Warp& warp, const MicroOp* op) {
  return change_each(warp, op, AccessIntent::kWrite, [&](Object& object, int lane) {
    warp.block->shadow.start_object(warp.worker->access.address[static_cast<size_t>(lane)] &
                                    kMappedOffset);
    object = {};
    object.pending = object.expected = number(warp, op, lane) & kCountMask;
    // A count of zero is outside the manual's range; the object then needs an arrival that wraps
    // around.
    if (object.pending == 0) object.pending = object.expected = kCountMask;
    return true;
  });
}

// Of whoever still arrives, only a reference count may be known: libcu++'s pipelines have one.
const MicroOp* invalidate(Warp& warp, const MicroOp* op) {
  return change_each(warp, op, AccessIntent::kAtomic, [](Object&, int) { return false; });
}

const MicroOp* arrive(Warp& warp, const MicroOp* op) { return arrive_with<false, false>(warp, op); }
const MicroOp* arrive_drop(Warp& warp, const MicroOp* op) {
  return arrive_with<true, false>(warp, op);
}
const MicroOp* arrive_expect(Warp& warp, const MicroOp* op) {
  return arrive_with<false, true>(warp, op);
}
const MicroOp* arrive_drop_expect(Warp& warp, const MicroOp* op) {
  return arrive_with<true, true>(warp, op);
}

const MicroOp* expect(Warp& warp, const MicroOp* op) {
  return change_each(warp, op, AccessIntent::kAtomic, [&](Object& object, int lane) {
    object.bytes = (object.bytes + number(warp, op, lane)) & kBytesMask;
    return true;
  });
}

const MicroOp* complete(Warp& warp, const MicroOp* op) {
  return change_each(warp, op, AccessIntent::kAtomic, [&](Object& object, int lane) {
    object.bytes = (object.bytes - number(warp, op, lane)) & kBytesMask;
    return true;
  });
}

void complete_bytes(Warp& warp, uint64_t address, uint32_t bytes) {
  uint8_t* const at = warp.block->shared.data() + address;
  uint64_t bits;
  std::memcpy(&bits, at, 8);
  Object object = Object::unpack(bits);
  object.bytes = (object.bytes - bytes) & kBytesMask;
  put(warp, *warp.block, address, object, at);
}

// The decoder inserts a wait for all copies before it. Without .noinc the pending count is
// incremented when the instruction runs and decremented when the copies arrive: the net change is
// zero, but a phase may complete.
const MicroOp* copies_arrived(Warp& warp, const MicroOp* op) {
  return change_each<true>(warp, op, AccessIntent::kAtomic, [](Object&, int) { return true; });
}
const MicroOp* copies_arrived_noinc(Warp& warp, const MicroOp* op) {
  return change_each<true>(warp, op, AccessIntent::kAtomic, [](Object& object, int) {
    object.pending = (object.pending - 1) & kCountMask;
    return true;
  });
}

const MicroOp* test_state(Warp& warp, const MicroOp* op) { return test<false>(warp, op); }
const MicroOp* test_parity(Warp& warp, const MicroOp* op) { return test<true>(warp, op); }

const MicroOp* pending_count(Warp& warp, const MicroOp* op) {
  const uint64_t* state = warp.reg<uint64_t>(op->b);
  uint32_t* d = warp.reg<uint32_t>(op->d);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    d[lane] = static_cast<uint32_t>(state[lane] & kCountMask);
  }
  return op + 1;
}

}  // namespace warpshop::emulator::mbarrier
