// Loads and stores: addresses, checks, the access record, the bytes.
#include "access/memory_ops.h"

#include <algorithm>
#include <cstring>

#include "access/access_check.h"
#include "checks/undefined_values.h"
#include "shadows/order_role.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

template <int kBytes>
struct Raw;
template <>
struct Raw<1> {
  using Unsigned = uint8_t;
  using Signed = int8_t;
};
template <>
struct Raw<2> {
  using Unsigned = uint16_t;
  using Signed = int16_t;
};
template <>
struct Raw<4> {
  using Unsigned = uint32_t;
  using Signed = int32_t;
};
template <>
struct Raw<8> {
  using Unsigned = uint64_t;
  using Signed = int64_t;
};

template <typename T>
T read_as(const uint8_t* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

// The register of one element of the lanes.
inline uint32_t element_register(const Warp& warp, const MicroOp* op, int element) {
  if ((op->flags & kList) == 0) return op->d;
  return warp.worker->launch->program->lists[op->d].offset[element];
}

inline int element_count(const Warp& warp, const MicroOp* op) {
  if ((op->flags & kList) == 0) return 1;
  return warp.worker->launch->program->lists[op->d].count;
}

// Copies one lane's element into a register and extends it. 128-bit elements fill both halves.
template <int kElement, bool kSigned, int kRegister>
inline void put_lane(uint8_t* reg, int lane, const uint8_t* from) {
  if constexpr (kElement == 16) {
    std::memcpy(reg + 8 * lane, from, 8);
    std::memcpy(reg + 256 + 8 * lane, from + 8, 8);
  } else {
    using Memory = std::conditional_t<kSigned, typename Raw<kElement>::Signed,
                                      typename Raw<kElement>::Unsigned>;
    using Register = typename Raw<kRegister>::Unsigned;
    reinterpret_cast<Register*>(reg)[lane] = static_cast<Register>(read_as<Memory>(from));
  }
}

template <int kElement, int kRegister>
inline void get_lane(const uint8_t* reg, int lane, uint8_t* to) {
  if constexpr (kElement == 16) {
    std::memcpy(to, reg + 8 * lane, 8);
    std::memcpy(to + 8, reg + 256 + 8 * lane, 8);
  } else {
    using Memory = typename Raw<kElement>::Unsigned;
    const auto value =
        static_cast<Memory>(reinterpret_cast<const typename Raw<kRegister>::Unsigned*>(reg)[lane]);
    std::memcpy(to, &value, sizeof value);
  }
}

// Loads one word per lane from one region; neighbouring words are loaded at once.
void load_words(uint32_t* reg, const CheckedAccess& checked, const WarpAccess& access,
                uint64_t offset_of_element) {
  const AddressPattern& pattern = *checked.pattern;
  if (pattern.near_words != 0) {
    const uint64_t lowest =
        access.address[static_cast<size_t>(pattern.first)] + static_cast<uint64_t>(pattern.lowest);
    if (pick_words(reg, checked.host + (lowest + offset_of_element), pattern)) return;
  }
  gather_4(reg, checked.host.distance() + offset_of_element, access.address.data());
}

// For lanes in several regions or rejected lanes, which read zero. A separate function, so that
// loads from one region do not pay for its stack frame.
template <int kElement, bool kSigned, int kRegister>
[[gnu::noinline]] const MicroOp* load_lane_by_lane(Warp& warp, const MicroOp* op, uint32_t lanes) {
  const int count = element_count(warp, op);
  const WarpAccess& access = warp.worker->access;
  static constexpr uint8_t kZero[16 * 8] = {};
  for (uint32_t rest = access.active_mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint8_t* from = kZero;
    if ((lanes >> lane) & 1u) {
      from = host_of_lane(warp, op, access.address[lane], lane_space(warp, op, lane), lane,
                          kElement * count)
                 .data;
    }
    for (int e = 0; e < count; ++e) {
      const uint32_t offset = element_register(warp, op, e);
      if (offset != kNoRegister) {
        put_lane<kElement, kSigned, kRegister>(warp.frame + offset, lane, from + e * kElement);
      }
    }
  }
  const uint32_t undefined = warp.worker->unwritten_local;
  return undefined == 0 ? op + 1 : after_local_load(warp, op, kElement * count, undefined);
}

template <int kElement, bool kSigned, int kRegister>
const MicroOp* load(Warp& warp, const MicroOp* op) {
  const int count = element_count(warp, op);
  WarpAccess& access = warp.worker->access;
  const CheckedAccess checked = check_access(warp, op, kElement * count, AccessIntent::kRead);
  if (checked.one_region) {
    const HostView& host = checked.host;
    if (checked.contiguous && count == 1 && kElement == kRegister) {
      std::memcpy(warp.frame + op->d, host + access.address[0], size_t{kElement} * kWarpSize);
      return op + 1;
    }
    for (int e = 0; e < count; ++e) {
      const uint32_t offset = element_register(warp, op, e);
      if (offset == kNoRegister) continue;
      uint8_t* reg = warp.frame + offset;
      const auto offset_of_element = static_cast<uint64_t>(e * kElement);
      if (checked.same) {
        const uint8_t* from = host + (access.address[0] + offset_of_element);
        for (int lane = 0; lane < kWarpSize; ++lane)
          put_lane<kElement, kSigned, kRegister>(reg, lane, from);
      } else if (checked.lanes == 0xffffffffu && kElement == 4 && kRegister == 4) {
        load_words(reinterpret_cast<uint32_t*>(reg), checked, access, offset_of_element);
      } else if (checked.lanes == 0xffffffffu && kElement == 8 && kRegister == 8) {
        gather_8(reinterpret_cast<uint64_t*>(reg), host.distance() + offset_of_element,
                 access.address.data());
      } else if (checked.lanes == 0xffffffffu) {
        for (int lane = 0; lane < kWarpSize; ++lane) {
          put_lane<kElement, kSigned, kRegister>(reg, lane,
                                                 host + (access.address[lane] + offset_of_element));
        }
      } else {
        for (uint32_t rest = checked.lanes; rest != 0; rest &= rest - 1) {
          const int lane = std::countr_zero(rest);
          put_lane<kElement, kSigned, kRegister>(reg, lane,
                                                 host + (access.address[lane] + offset_of_element));
        }
      }
    }
    return op + 1;
  }
  return load_lane_by_lane<kElement, kSigned, kRegister>(warp, op, checked.lanes);
}

template <int kElement, int kRegister>
class LaneValues final : public StoreValues {
 public:
  LaneValues(const Warp& warp, const MicroOp* op, int count)
      : warp_(warp), op_(op), count_(count) {}
  void lane(int lane, uint8_t* to) const override {
    for (int e = 0; e < count_; ++e) {
      get_lane<kElement, kRegister>(warp_.frame + element_register(warp_, op_, e), lane,
                                    to + e * kElement);
    }
  }
  const uint32_t* words() const override {
    if (kElement != 4 || kRegister != 4 || count_ != 1) return nullptr;
    return reinterpret_cast<const uint32_t*>(warp_.frame + element_register(warp_, op_, 0));
  }

 private:
  const Warp& warp_;
  const MicroOp* op_;
  int count_;
};

template <int kElement, int kRegister>
const MicroOp* store(Warp& warp, const MicroOp* op) {
  const int count = element_count(warp, op);
  const LaneValues<kElement, kRegister> values(warp, op, count);
  WarpAccess& access = warp.worker->access;
  const StoreInFlight until_stored(warp.worker->launch->stores, warp.worker->index);
  const CheckedAccess checked =
      check_access(warp, op, kElement * count, AccessIntent::kWrite, &values);
  if (checked.waits) return op + 1;
  if (checked.one_region) {
    const HostView& host = checked.host;
    if (checked.contiguous && count == 1 && kElement == kRegister) {
      std::memcpy(host + access.address[0], warp.frame + op->d, size_t{kElement} * kWarpSize);
      if (checked.written != nullptr) {
        std::memset(checked.written + access.address[0], 1, size_t{kElement} * kWarpSize);
      }
      return op + 1;
    }
    for (int e = 0; e < count; ++e) {
      const uint8_t* reg = warp.frame + element_register(warp, op, e);
      const auto offset_of_element = static_cast<uint64_t>(e * kElement);
      if (checked.lanes == 0xffffffffu) {
        for (int lane = 0; lane < kWarpSize; ++lane) {
          get_lane<kElement, kRegister>(reg, lane,
                                        host + (access.address[lane] + offset_of_element));
        }
        continue;
      }
      for (uint32_t rest = checked.lanes; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        get_lane<kElement, kRegister>(reg, lane, host + (access.address[lane] + offset_of_element));
      }
    }
    if (checked.written != nullptr) {
      for (uint32_t rest = checked.lanes; rest != 0; rest &= rest - 1) {
        std::memset(checked.written + access.address[std::countr_zero(rest)], 1,
                    static_cast<size_t>(kElement * count));
      }
    }
    return op + 1;
  }
  for (uint32_t rest = checked.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const HostPlace to = host_of_lane(warp, op, access.address[lane], lane_space(warp, op, lane),
                                      lane, kElement * count);
    for (int e = 0; e < count; ++e) {
      get_lane<kElement, kRegister>(warp.frame + element_register(warp, op, e), lane,
                                    to.data + e * kElement);
    }
    if (to.written != nullptr) std::memset(to.written, 1, static_cast<size_t>(kElement * count));
  }
  return op + 1;
}

// Kernel parameters: the same value for every lane.
template <int kElement, bool kSigned, int kRegister>
const MicroOp* load_param(Warp& warp, const MicroOp* op) {
  const uint8_t* from = warp.worker->launch->params.data() + op->imm;
  const int count = element_count(warp, op);
  for (int e = 0; e < count; ++e) {
    const uint32_t offset = element_register(warp, op, e);
    if (offset == kNoRegister) continue;
    uint8_t* reg = warp.frame + offset;
    if (warp.full) {
      for (int lane = 0; lane < kWarpSize; ++lane)
        put_lane<kElement, kSigned, kRegister>(reg, lane, from + e * kElement);
    } else {
      for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        put_lane<kElement, kSigned, kRegister>(reg, std::countr_zero(rest), from + e * kElement);
      }
    }
  }
  return op + 1;
}

inline uint8_t* frame_of_lane(Warp& warp, const MicroOp* op, int lane) {
  return warp.params.data() +
         size_t{warp.worker->launch->param_stride} * static_cast<size_t>(lane) + warp.param_base +
         op->imm;
}

template <int kElement, bool kSigned, int kRegister>
const MicroOp* load_frame(Warp& warp, const MicroOp* op) {
  const int count = element_count(warp, op);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint8_t* from = frame_of_lane(warp, op, lane);
    for (int e = 0; e < count; ++e) {
      const uint32_t offset = element_register(warp, op, e);
      if (offset != kNoRegister) {
        put_lane<kElement, kSigned, kRegister>(warp.frame + offset, lane, from + e * kElement);
      }
    }
  }
  return op + 1;
}

template <int kElement, int kRegister>
const MicroOp* store_frame(Warp& warp, const MicroOp* op) {
  const int count = element_count(warp, op);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    uint8_t* to = frame_of_lane(warp, op, lane);
    for (int e = 0; e < count; ++e) {
      get_lane<kElement, kRegister>(warp.frame + element_register(warp, op, e), lane,
                                    to + e * kElement);
    }
  }
  return op + 1;
}

// Picks the instance of a handler template for an element and a register width.
template <template <int, bool, int> class Family>
Handler pick(int element_bytes, bool is_signed, int register_bytes) {
  switch (element_bytes * 100 + register_bytes) {
    case 102:
      return is_signed ? Family<1, true, 2>::run : Family<1, false, 2>::run;
    case 104:
      return is_signed ? Family<1, true, 4>::run : Family<1, false, 4>::run;
    case 108:
      return is_signed ? Family<1, true, 8>::run : Family<1, false, 8>::run;
    case 202:
      return Family<2, false, 2>::run;
    case 204:
      return is_signed ? Family<2, true, 4>::run : Family<2, false, 4>::run;
    case 208:
      return is_signed ? Family<2, true, 8>::run : Family<2, false, 8>::run;
    case 404:
      return Family<4, false, 4>::run;
    case 408:
      return is_signed ? Family<4, true, 8>::run : Family<4, false, 8>::run;
    case 808:
      return Family<8, false, 8>::run;
    case 1616:
      return Family<16, false, 16>::run;
    default:
      return nullptr;
  }
}

template <int kElement, bool kSigned, int kRegister>
struct LoadFamily {
  static constexpr Handler run = load<kElement, kSigned, kRegister>;
};
template <int kElement, bool, int kRegister>
struct StoreFamily {
  static constexpr Handler run = store<kElement, kRegister>;
};
template <int kElement, bool kSigned, int kRegister>
struct LoadParamFamily {
  static constexpr Handler run = load_param<kElement, kSigned, kRegister>;
};
template <int kElement, bool kSigned, int kRegister>
struct LoadFrameFamily {
  static constexpr Handler run = load_frame<kElement, kSigned, kRegister>;
};
template <int kElement, bool, int kRegister>
struct StoreFrameFamily {
  static constexpr Handler run = store_frame<kElement, kRegister>;
};

}  // namespace

Handler find_load(int element_bytes, bool is_signed, int register_bytes) {
  return pick<LoadFamily>(element_bytes, is_signed, register_bytes);
}
const MicroOp* load_word(Warp& warp, const MicroOp* op) { return load<4, false, 4>(warp, op); }
const MicroOp* access_alone(Warp& warp, const MicroOp* op) {
  const auto& site = warp.worker->launch->program->sites[op->site];
  const bool loads = site.kind == AccessKind::kLoad;
  check_access(warp, op, site.width_bytes(), loads ? AccessIntent::kRead : AccessIntent::kWrite);
  return op + 1;
}
Handler find_store(int element_bytes, int register_bytes) {
  return pick<StoreFamily>(element_bytes, false, register_bytes);
}
Handler find_load_param(int element_bytes, bool is_signed, int register_bytes) {
  return pick<LoadParamFamily>(element_bytes, is_signed, register_bytes);
}
Handler find_load_frame(int element_bytes, bool is_signed, int register_bytes) {
  return pick<LoadFrameFamily>(element_bytes, is_signed, register_bytes);
}
Handler find_store_frame(int element_bytes, int register_bytes) {
  return pick<StoreFrameFamily>(element_bytes, false, register_bytes);
}

namespace {

bool has_swapped(const Warp& warp, const MicroOp* op, int lane) {
  if (op->d == kNoRegister || op->d == op->b) return true;
  const auto equal = [&](uint32_t bytes, uint32_t half) {
    const auto at = static_cast<uint32_t>(lane) * bytes + half;
    return std::memcmp(warp.frame + op->d + at, warp.frame + op->b + at, bytes) == 0;
  };
  return op->e < 16 ? equal(op->e, 0) : equal(8, 0) && equal(8, 256);
}

}  // namespace

// What orders threads matters to the race watches. A load from a barrier of
// cooperative groups, which is in the system's memory, tests whether other blocks have arrived.
const MicroOp* after_ordered_access(Warp& warp, const MicroOp* op) {
  const DecodedProgram& program = *warp.worker->launch->program;
  const uint32_t roles = program.order_roles[op->imm];
  const WarpAccess& access = warp.worker->access;  // as left by the access itself
  const bool shared = access.space == ptx::Space::kShared;
  if (!shared && access.space != ptx::Space::kGlobal) return op + 1;
  GridShadow* const grid = warp.worker->launch->grid_shadow.get();
  uint64_t last = ~uint64_t{0};  // one of the lanes' accesses to a word stands for all
  bool at_barrier = false;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = access.address[static_cast<size_t>(lane)];
    at_barrier =
        at_barrier || address - (shared ? kReservedShared : kGridWorkspace) < kReservedSharedBytes;
    if (shared ? !program.parts_wait : grid == nullptr) continue;
    uint32_t mine = roles;
    if ((roles & kCompares) != 0 && !has_swapped(warp, op, lane)) mine &= ~(kWrites | kLocks);
    if (shared) {
      warp.block->shadow.order_by(warp.index, lane, address, mine);
    } else if (address != last) {
      grid->order_by({warp.block->linear, warp.index, access.site}, address, mine);
      last = address;
    }
  }
  // Whoever takes a lock of its block, or sees its flag, may learn what others of it know.
  if (shared && grid != nullptr && (roles & (kAcquires | kPolls | kLocks)) != 0)
    grid->pass_barrier(warp.block->linear);
  if (at_barrier && (roles & kLoads)) give_turn(warp, !shared);
  return op + 1;
}

const MicroOp* fence_of_the_block(Warp& warp, const MicroOp* op) {
  if (warp.worker->launch->program->parts_wait) warp.block->shadow.fence(warp.index, warp.mask);
  return op + 1;
}

const MicroOp* fence_of_the_grid(Warp& warp, const MicroOp* op) {
  if (warp.block->has_loaded_stored) warp.block->may_follow_others = true;
  if (GridShadow* grid = warp.worker->launch->grid_shadow.get())
    grid->fence(warp.block->linear, warp.index);
  return fence_of_the_block(warp, op);
}

}  // namespace warpshop::emulator
