#include "operations/convergence.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "checks/note_finding.h"
#include "checks/undefined_values.h"
#include "checks/words.h"
#include "operations/collectives.h"
#include "operations/frame.h"
#include "operations/paths.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

const uint32_t* members_of(Warp& warp, const Path& path) {
  return reinterpret_cast<const uint32_t*>(warp.registers.data() +
                                           warp.frames[path.frame].register_base +
                                           static_cast<uint32_t>(path.pc->imm));
}

uint32_t first_mask_of(Warp& warp, const Path& path) {
  return members_of(warp, path)[std::countr_zero(path.mask)];
}

Sentence lane_words(uint32_t lanes) {
  const int first = std::countr_zero(lanes), last = 31 - std::countl_zero(lanes);
  const int count = std::popcount(lanes);
  if (count == 1) return sentence("lane {lane}", {{"lane", first}});
  if (last - first + 1 == count)
    return sentence("lanes {first} to {last}", {{"first", first}, {"last", last}});
  return sentence("{count} of lanes {first} to {last}",
                  {{"count", count}, {"first", first}, {"last", last}});
}

std::string what(const MicroOp* op) { return std::string(name_of_collective(op->run)); }

Sentence mask_cause() {
  return sentence(
      "the mask must have a bit for every lane that arrives and for no other; 0xffffffff when the "
      "whole warp does");
}

// "The behavior of the instruction is undefined if the executing thread is not in the membermask";
// and lanes that converge must give the same mask.
void check_masks(Warp& warp, const MicroOp* op) {
  const uint32_t* members = warp.reg<uint32_t>(static_cast<uint32_t>(op->imm));
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if ((members[lane] >> lane) & 1u) {
      for (uint32_t others = members[lane] & warp.mask; others != 0; others &= others - 1) {
        const int other = std::countr_zero(others);
        if (members[other] == members[lane] || ((members[other] >> other) & 1u) == 0) continue;
        if (Finding* f = note_finding(warp, op, FindingKind::kSyncwarpMask, ptx::Space::kGeneric,
                                      "", lane)) {
          f->other_who = place_of_lane(warp, other);
          f->message = sentence(
              "lane {lane} gives {what} the mask {mask}, lane {other}, which that mask names, "
              "gives {other_mask}",
              {{"lane", lane},
               {"what", what(op)},
               {"mask", mask_text(members[lane])},
               {"other", other},
               {"other_mask", mask_text(members[other])}});
          f->cause = sentence("all lanes that a mask names must give the same mask");
        }
        break;
      }
      continue;
    }
    if (Finding* f =
            note_finding(warp, op, FindingKind::kSyncwarpMask, ptx::Space::kGeneric, "", lane)) {
      f->message =
          sentence("lane {lane} executes {what} but is not in its mask {mask}",
                   {{"lane", lane}, {"what", what(op)}, {"mask", mask_text(members[lane])}});
      f->cause = mask_cause();
    }
  }
}

// Lanes with different masks converge separately: each group becomes its own path.
const MicroOp* split_by_mask(Warp& warp, const MicroOp* op) {
  const uint32_t* members = warp.reg<uint32_t>(static_cast<uint32_t>(op->imm));
  Path part = warp.top();
  part.pc = op;
  uint32_t left = warp.mask;
  warp.paths.pop_back();
  while (left != 0) {
    const uint32_t mask = members[std::countr_zero(left)];
    part.mask = 0;
    for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
      if (members[std::countr_zero(rest)] == mask) part.mask |= rest & (0u - rest);
    }
    left &= ~part.mask;
    warp.paths.push_back(part);
  }
  return control::resume(warp);
}

// The operands of all converging paths, gathered as if a single instruction had them.
struct JointFrame {
  alignas(64) uint64_t a[kWarpSize];  // or u32[32], or a predicate
  alignas(64) uint32_t b[kWarpSize];
  alignas(64) uint32_t c[kWarpSize];
  alignas(64) uint32_t members[kWarpSize];
  alignas(64) uint64_t d[kWarpSize];  // or a predicate
  alignas(64) uint32_t e;
};

class JointExecution {
 public:
  JointExecution(Warp& warp, const MicroOp* op)
      : warp_(warp), shape_(shape_of_collective(op->run)), op_(*op) {
    joint_ = {};
    op_.a = offsetof(JointFrame, a);
    op_.b = offsetof(JointFrame, b);
    op_.c = offsetof(JointFrame, c);
    op_.d = offsetof(JointFrame, d);
    op_.e = offsetof(JointFrame, e);
    op_.imm = offsetof(JointFrame, members);
    op_.flags = 0;
  }

  void run(const std::vector<size_t>& parts) {
    uint32_t lanes = 0;
    for (size_t n : parts) {
      const Path& path = warp_.paths[n];
      lanes |= path.mask;
      if (warp_.undefined) warp_.undefined->joins_other_paths(warp_, path);
      gather(path);
    }
    uint8_t* own = warp_.frame;
    warp_.frame = reinterpret_cast<uint8_t*>(&joint_);
    set_mask(warp_, lanes);
    op_.run(warp_, &op_);
    warp_.frame = own;
    for (size_t n : parts) scatter(warp_.paths[n]);
  }

 private:
  uint8_t* frame_of(const Path& path) {
    return warp_.registers.data() + warp_.frames[path.frame].register_base;
  }

  static void copy(void* to, const void* from, uint32_t lanes, size_t bytes) {
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const size_t at = static_cast<size_t>(std::countr_zero(rest)) * bytes;
      std::memcpy(static_cast<uint8_t*>(to) + at, static_cast<const uint8_t*>(from) + at, bytes);
    }
  }
  static uint32_t& bits(void* p) { return *static_cast<uint32_t*>(p); }

  void gather(const Path& path) {
    uint8_t* frame = frame_of(path);
    const MicroOp& op = *path.pc;
    copy(joint_.members, frame + static_cast<uint32_t>(op.imm), path.mask, 4);
    if (shape_.a_bytes == 0) {
      const uint32_t predicate = (op.flags & 1u) ? ~bits(frame + op.a) : bits(frame + op.a);
      bits(joint_.a) |= predicate & path.mask;
    } else if (shape_.a_bytes > 0) {
      copy(joint_.a, frame + op.a, path.mask, static_cast<size_t>(shape_.a_bytes));
    }
    if (!shape_.has_lane) return;
    copy(joint_.b, frame + op.b, path.mask, 4);
    copy(joint_.c, frame + op.c, path.mask, 4);
  }

  void scatter(const Path& path) {
    uint8_t* frame = frame_of(path);
    const MicroOp& op = *path.pc;
    if (shape_.d_bytes > 0 && op.d != kNoRegister)
      copy(frame + op.d, joint_.d, path.mask, static_cast<size_t>(shape_.d_bytes));
    if (shape_.d_bytes == 0 && op.d != kNoRegister) {
      bits(frame + op.d) = (bits(frame + op.d) & ~path.mask) | (bits(joint_.d) & path.mask);
    }
    if (shape_.has_e && op.e != kNoRegister) {
      bits(frame + op.e) = (bits(frame + op.e) & ~path.mask) | (joint_.e & path.mask);
    }
  }

  Warp& warp_;
  CollectiveShape shape_;
  MicroOp op_;
  JointFrame joint_;
};

// The paths that wait for the same convergence as `path`, including `path`.
std::vector<size_t> parties(Warp& warp, const Path& path) {
  std::vector<size_t> found;
  const uint32_t mask = first_mask_of(warp, path);
  for (size_t n = 0; n < warp.paths.size(); ++n) {
    const Path& other = warp.paths[n];
    if (&other == &path || (control::is_leaf(warp, n) && other.wait == Wait::kLanes &&
                            other.pc->run == path.pc->run && first_mask_of(warp, other) == mask)) {
      found.push_back(n);
    }
  }
  return found;
}

uint32_t lanes_of(const Warp& warp, const std::vector<size_t>& paths) {
  uint32_t lanes = 0;
  for (size_t n : paths) lanes |= warp.paths[n].mask;
  return lanes;
}

}  // namespace

bool converge(Warp& warp, const MicroOp* op, const MicroOp*& next) {
  check_masks(warp, op);
  const uint32_t* members = warp.reg<uint32_t>(static_cast<uint32_t>(op->imm));
  uint32_t named = 0;
  bool one_mask = true;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    named |= members[std::countr_zero(rest)];
    one_mask = one_mask && members[std::countr_zero(rest)] == members[std::countr_zero(warp.mask)];
  }
  const uint32_t missing = named & warp.live & ~warp.mask;
  if (missing == 0) return true;
  if (!control::has_independent_lanes(warp)) {
    const int lane = std::countr_zero(warp.mask);
    if (Finding* f =
            note_finding(warp, op, FindingKind::kSyncwarpMask, ptx::Space::kGeneric, "", lane)) {
      f->other_who = place_of_lane(warp, std::countr_zero(missing));
      f->message = sentence(
          "the mask {mask} of {what} names {lanes}, which went another way; before compute "
          "capability 7.0 all lanes of the mask must come together",
          {{"mask", mask_text(named)}, {"what", what(op)}, {"lanes", lane_words(missing)}});
      f->cause = mask_cause();
    }
    return true;
  }
  warp.top().pc = op;
  if (!one_mask) {
    next = split_by_mask(warp, op);
    return false;
  }
  std::erase_if(warp.paths, [](const Path& path) { return path.mask == 0; });
  const std::vector<size_t> parts = parties(warp, warp.top());
  if ((missing & ~lanes_of(warp, parts)) != 0) {
    warp.top().wait = Wait::kLanes;
    next = control::resume(warp);
    return false;
  }
  JointExecution(warp, op).run(parts);
  warp.released &= ~lanes_of(warp, parts);
  for (size_t n : parts) {
    warp.paths[n].wait = Wait::kNothing;
    ++warp.paths[n].pc;
  }
  control::merge_leaves(warp);
  next = control::resume(warp);
  return false;
}

bool all_arrived(Warp& warp, const Path& path) {
  const uint32_t named = first_mask_of(warp, path);
  return (named & warp.live & ~lanes_of(warp, parties(warp, path))) == 0;
}

void note_exited_members(Warp& warp, const MicroOp* op) {
  const uint32_t named =
      warp.reg<uint32_t>(static_cast<uint32_t>(op->imm))[std::countr_zero(warp.mask)];
  const uint32_t left = named & warp.released & ~warp.live;
  if (left == 0) return;
  if (Finding* f = note_finding(warp, op, FindingKind::kSyncwarpMask, ptx::Space::kGeneric, "",
                                std::countr_zero(warp.mask))) {
    f->other_who = place_of_lane(warp, std::countr_zero(left));
    f->message =
        sentence("the mask {mask} of {what} names {lanes}, which went another way and never came",
                 {{"mask", mask_text(named)}, {"what", what(op)}, {"lanes", lane_words(left)}});
    f->cause = mask_cause();
  }
}

const MicroOp* report_missed_convergence(Warp& warp) {
  const Path waiting = warp.top();
  const MicroOp* op = waiting.pc;
  control::run_leaf(warp, waiting.mask);
  const uint32_t named = first_mask_of(warp, waiting);
  const uint32_t missing = named & warp.live & ~lanes_of(warp, parties(warp, warp.top()));
  if (Finding* f = note_finding(warp, op, FindingKind::kSyncwarpMask, ptx::Space::kGeneric, "",
                                std::countr_zero(waiting.mask))) {
    const int absent = std::countr_zero(missing);
    const Path& other = control::path_of_lane(warp, absent);
    f->other_who = place_of_lane(warp, absent);
    const bool at_barrier = (warp.barrier_lanes >> absent & 1) != 0;
    f->other_place = control::source_of(warp, other, at_barrier ? warp.barrier_op : other.pc);
    f->message = sentence(
        "deadlock: {lanes} wait at {what} for {others}, which the mask {mask} names and which wait "
        "at another place",
        {{"lanes", lane_words(waiting.mask)},
         {"what", what(op)},
         {"others", lane_words(missing)},
         {"mask", mask_text(named)}});
    if (f->other_place->line > 0)
      f->message.then(sentence("line {line}", {{"line", f->other_place->line}}), ", ");
    f->cause = mask_cause();
  }
  fail_launch(warp);
  return control::finish(warp);
}

}  // namespace warpshop::emulator
