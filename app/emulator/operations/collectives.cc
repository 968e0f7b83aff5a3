#include "operations/collectives.h"

#include <bit>
#include <cstring>
#include <string>

#include "checks/undefined_values.h"
#include "operations/convergence.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

uint32_t member_mask(Warp& warp, const MicroOp* op, int lane) {
  return warp.reg<uint32_t>(static_cast<uint32_t>(op->imm))[lane];
}

enum class Shuffle { kUp, kDown, kButterfly, kIndex };

template <Shuffle kMode>
const MicroOp* shuffle(Warp& warp, const MicroOp* op) {
  const MicroOp* next = nullptr;
  if (!all_converged(warp, op) && !converge(warp, op, next)) return next;
  const uint32_t* a = warp.reg<uint32_t>(op->a);
  const uint32_t* b = warp.reg<uint32_t>(op->b);
  const uint32_t* c = warp.reg<uint32_t>(op->c);
  uint32_t value[kWarpSize];
  std::memcpy(value, a, sizeof value);
  const uint32_t* members = warp.reg<uint32_t>(static_cast<uint32_t>(op->imm));
  ShuffleSources sources{};
  uint32_t in_range = 0, undefined = 0;
  uint32_t* d = op->d == kNoRegister ? nullptr : warp.reg<uint32_t>(op->d);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const int delta = static_cast<int>(b[lane] & 0x1fu);
    const int clamp = static_cast<int>(c[lane] & 0x1fu);
    const int segment = static_cast<int>((c[lane] >> 8) & 0x1fu);
    const int max_lane = (lane & segment) | (clamp & ~segment);
    const int min_lane = lane & segment;
    int from = lane;
    bool ok = false;
    if constexpr (kMode == Shuffle::kUp) {
      from = lane - delta;
      ok = from >= max_lane;
    } else if constexpr (kMode == Shuffle::kDown) {
      from = lane + delta;
      ok = from <= max_lane;
    } else if constexpr (kMode == Shuffle::kButterfly) {
      from = lane ^ delta;
      ok = from <= max_lane;
    } else {
      from = min_lane | (delta & ~segment);
      ok = from <= max_lane;
    }
    if (!ok) from = lane;
    if (ok) in_range |= 1u << lane;
    if (ok && (((warp.mask & members[lane]) >> from) & 1u) == 0) undefined |= 1u << lane;
    sources[static_cast<size_t>(lane)] = static_cast<uint8_t>(from & 31);
    if (d != nullptr) d[lane] = value[from & 31];
  }
  if (op->e != kNoRegister) {
    uint32_t* p = warp.reg<uint32_t>(op->e);
    *p = (*p & ~warp.mask) | in_range;
  }
  if (undefined != 0 || warp.undefined != nullptr) [[unlikely]]
    return after_shuffle(warp, op, sources, undefined);
  return op + 1;
}

uint32_t predicate_of(Warp& warp, const MicroOp* op) {
  const uint32_t p = *warp.reg<uint32_t>(op->a);
  return (op->flags & 1u) ? ~p : p;
}

enum class Vote { kAll, kAny, kUniform, kBallot };

template <Vote kMode>
const MicroOp* vote(Warp& warp, const MicroOp* op) {
  const MicroOp* next = nullptr;
  if (!all_converged(warp, op) && !converge(warp, op, next)) return next;
  const uint32_t predicate = predicate_of(warp, op);
  uint32_t result = 0;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint32_t voters = member_mask(warp, op, lane) & warp.mask;
    const uint32_t yes = predicate & voters;
    if constexpr (kMode == Vote::kBallot) {
      warp.reg<uint32_t>(op->d)[lane] = yes;
    } else {
      const bool value = kMode == Vote::kAll   ? yes == voters
                         : kMode == Vote::kAny ? yes != 0
                                               : yes == 0 || yes == voters;
      if (value) result |= 1u << lane;
    }
  }
  if constexpr (kMode != Vote::kBallot) {
    uint32_t* p = warp.reg<uint32_t>(op->d);
    *p = (*p & ~warp.mask) | result;
  }
  return op + 1;
}

template <typename T, bool kAll>
const MicroOp* match(Warp& warp, const MicroOp* op) {
  const MicroOp* next = nullptr;
  if (!all_converged(warp, op) && !converge(warp, op, next)) return next;
  T value[kWarpSize];
  std::memcpy(value, warp.reg<T>(op->a), sizeof value);
  uint32_t all_equal = 0;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint32_t voters = member_mask(warp, op, lane) & warp.mask;
    uint32_t same = 0;
    for (uint32_t others = voters; others != 0; others &= others - 1) {
      const int other = std::countr_zero(others);
      if (value[other] == value[lane]) same |= 1u << other;
    }
    if constexpr (kAll) {
      const bool equal = same == voters;
      if (equal) all_equal |= 1u << lane;
      same = equal ? voters : 0;
    }
    if (op->d != kNoRegister) warp.reg<uint32_t>(op->d)[lane] = same;
  }
  if (kAll && op->e != kNoRegister) {
    uint32_t* p = warp.reg<uint32_t>(op->e);
    *p = (*p & ~warp.mask) | all_equal;
  }
  return op + 1;
}

struct Sum {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct Least {
  template <typename T>
  static T apply(T a, T b) {
    return b < a ? b : a;
  }
};
struct Most {
  template <typename T>
  static T apply(T a, T b) {
    return a < b ? b : a;
  }
};
struct Both {
  template <typename T>
  static T apply(T a, T b) {
    return a & b;
  }
};
struct Either {
  template <typename T>
  static T apply(T a, T b) {
    return a | b;
  }
};
struct OneOf {
  template <typename T>
  static T apply(T a, T b) {
    return a ^ b;
  }
};

template <typename T, typename Operation>
const MicroOp* redux(Warp& warp, const MicroOp* op) {
  const MicroOp* next = nullptr;
  if (!all_converged(warp, op) && !converge(warp, op, next)) return next;
  T value[kWarpSize];
  std::memcpy(value, warp.reg<T>(op->a), sizeof value);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    T result = value[lane];
    for (uint32_t others = member_mask(warp, op, lane) & warp.mask & ~(1u << lane); others != 0;
         others &= others - 1) {
      result = Operation::apply(result, value[std::countr_zero(others)]);
    }
    warp.reg<T>(op->d)[lane] = result;
  }
  return op + 1;
}

}  // namespace

Handler find_shuffle(std::string_view mode) {
  if (mode == "up") return shuffle<Shuffle::kUp>;
  if (mode == "down") return shuffle<Shuffle::kDown>;
  if (mode == "bfly") return shuffle<Shuffle::kButterfly>;
  if (mode == "idx") return shuffle<Shuffle::kIndex>;
  return nullptr;
}

Handler find_vote(std::string_view mode) {
  if (mode == "all") return vote<Vote::kAll>;
  if (mode == "any") return vote<Vote::kAny>;
  if (mode == "uni") return vote<Vote::kUniform>;
  if (mode == "ballot") return vote<Vote::kBallot>;
  return nullptr;
}

Handler find_match(std::string_view mode, int bytes) {
  if (mode == "any") return bytes == 8 ? match<uint64_t, false> : match<uint32_t, false>;
  if (mode == "all") return bytes == 8 ? match<uint64_t, true> : match<uint32_t, true>;
  return nullptr;
}

Handler find_redux(std::string_view operation, bool is_signed) {
  if (operation == "add") return redux<uint32_t, Sum>;
  if (operation == "min") return is_signed ? redux<int32_t, Least> : redux<uint32_t, Least>;
  if (operation == "max") return is_signed ? redux<int32_t, Most> : redux<uint32_t, Most>;
  if (operation == "and") return redux<uint32_t, Both>;
  if (operation == "or") return redux<uint32_t, Either>;
  if (operation == "xor") return redux<uint32_t, OneOf>;
  return nullptr;
}

const MicroOp* activemask(Warp& warp, const MicroOp* op) {
  uint32_t* d = warp.reg<uint32_t>(op->d);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1)
    d[std::countr_zero(rest)] = warp.mask;
  return op + 1;
}

const MicroOp* sync_warp(Warp& warp, const MicroOp* op) {
  const MicroOp* next = nullptr;
  if (!all_converged(warp, op) && !converge(warp, op, next)) return next;
  ++warp.sync_order;
  if (!warp.worker->launch->program->parts_wait) return op + 1;
  const uint32_t* members = warp.reg<uint32_t>(static_cast<uint32_t>(op->imm));
  for (uint32_t left = warp.mask; left != 0;) {
    const uint32_t named = members[std::countr_zero(left)] & warp.mask;
    warp.block->shadow.sync_lanes(warp.index, named);
    left &= ~(named | (left & (0u - left)));
  }
  return op + 1;
}

const MicroOp* elect(Warp& warp, const MicroOp* op) {
  const MicroOp* next = nullptr;
  if (!all_converged(warp, op) && !converge(warp, op, next)) return next;
  const uint32_t leader = warp.mask & (0u - warp.mask);
  if (op->d != kNoRegister) {
    uint32_t* d = warp.reg<uint32_t>(op->d);
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1)
      d[std::countr_zero(rest)] = std::countr_zero(leader);
  }
  uint32_t* p = warp.reg<uint32_t>(op->e);
  *p = (*p & ~warp.mask) | leader;
  return op + 1;
}

namespace {

struct Known {
  Handler run;
  std::string_view name;
  CollectiveShape shape;
};

constexpr CollectiveShape kShuffleShape{
    .a_bytes = 4, .has_lane = true, .d_bytes = 4, .has_e = true};
constexpr CollectiveShape kVoteShape{.a_bytes = 0, .d_bytes = 0};
constexpr CollectiveShape kReduxShape{.a_bytes = 4, .d_bytes = 4};
const Known kKnown[] = {
    {shuffle<Shuffle::kUp>, "a shuffle", kShuffleShape},
    {shuffle<Shuffle::kDown>, "a shuffle", kShuffleShape},
    {shuffle<Shuffle::kButterfly>, "a shuffle", kShuffleShape},
    {shuffle<Shuffle::kIndex>, "a shuffle", kShuffleShape},
    {vote<Vote::kAll>, "a vote", kVoteShape},
    {vote<Vote::kAny>, "a vote", kVoteShape},
    {vote<Vote::kUniform>, "a vote", kVoteShape},
    {vote<Vote::kBallot>, "a vote", {.a_bytes = 0, .d_bytes = 4}},
    {match<uint32_t, false>, "a match", {.a_bytes = 4, .d_bytes = 4}},
    {match<uint64_t, false>, "a match", {.a_bytes = 8, .d_bytes = 4}},
    {match<uint32_t, true>, "a match", {.a_bytes = 4, .d_bytes = 4, .has_e = true}},
    {match<uint64_t, true>, "a match", {.a_bytes = 8, .d_bytes = 4, .has_e = true}},
    {redux<uint32_t, Sum>, "a reduction", kReduxShape},
    {redux<uint32_t, Least>, "a reduction", kReduxShape},
    {redux<int32_t, Least>, "a reduction", kReduxShape},
    {redux<uint32_t, Most>, "a reduction", kReduxShape},
    {redux<int32_t, Most>, "a reduction", kReduxShape},
    {redux<uint32_t, Both>, "a reduction", kReduxShape},
    {redux<uint32_t, Either>, "a reduction", kReduxShape},
    {redux<uint32_t, OneOf>, "a reduction", kReduxShape},
    {sync_warp, "__syncwarp", {}},
    {elect, "elect.sync", {.d_bytes = 4, .has_e = true}},
};

const Known& known(Handler run) {
  for (const Known& k : kKnown) {
    if (k.run == run) return k;
  }
  static const Known kNone{nullptr, "a warp-wide instruction", {}};
  return kNone;
}

}  // namespace

CollectiveShape shape_of_collective(Handler run) { return known(run).shape; }
std::string_view name_of_collective(Handler run) { return known(run).name; }

}  // namespace warpshop::emulator
