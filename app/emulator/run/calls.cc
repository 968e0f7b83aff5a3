// Calls of device functions: a frame of registers, one of parameters, one of local memory for each.
//
// A lane is in one chain of calls at a time, so parameters and local memory, which each lane has for itself, are
// stacked by the depth of the call. Registers are arrays over all lanes: paths in different calls need room of
// their own, and a new frame goes behind all that are in use.
#include <algorithm>
#include <cstring>

#include "decode/limits.h"
#include "run/frame.h"
#include "run/launch_state.h"
#include "run/paths.h"
#include "run/warp.h"

namespace warpshop::emulator {

void fill_constants(Warp& warp, const DecodedFunction& function) {
  for (const ConstantSlot& slot : function.constants) {
    uint8_t* to = warp.frame + slot.offset;
    switch (slot.width_bytes) {
      case 0: *reinterpret_cast<uint32_t*>(to) = slot.bits != 0 ? 0xffffffffu : 0; break;
      case 2: std::fill_n(reinterpret_cast<uint16_t*>(to), kWarpSize, static_cast<uint16_t>(slot.bits)); break;
      case 4: std::fill_n(reinterpret_cast<uint32_t*>(to), kWarpSize, static_cast<uint32_t>(slot.bits)); break;
      default: std::fill_n(reinterpret_cast<uint64_t*>(to), kWarpSize, slot.bits); break;
    }
  }
}

namespace {

template <typename T>
void broadcast(uint8_t* to, uint64_t value) {
  std::fill_n(reinterpret_cast<T*>(to), kWarpSize, static_cast<T>(value));
}

// Special registers may be read as 16-, 32- or 64-bit ones (PTX ISA §10: old code reads %tid as u16).
void put_special(uint8_t* to, int width_bytes, const uint32_t* value) {
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if (width_bytes == 2) reinterpret_cast<uint16_t*>(to)[lane] = static_cast<uint16_t>(value[lane]);
    if (width_bytes == 4) reinterpret_cast<uint32_t*>(to)[lane] = value[lane];
    if (width_bytes == 8) reinterpret_cast<uint64_t*>(to)[lane] = value[lane];
  }
}

}  // namespace

void fill_specials(Warp& warp, const DecodedFunction& function) {
  const Launch& launch = *warp.worker->launch;
  const Block& block = *warp.block;
  const uint8_t* tid = warp.worker->tid.data() + size_t{384} * warp.index;
  for (const SpecialSlot& slot : function.specials) {
    uint8_t* to = warp.frame + slot.offset;
    uint64_t value = 0;
    bool per_lane = false;
    uint32_t lanes[kWarpSize];
    switch (slot.special) {
      case Special::kTidX:
      case Special::kTidY:
      case Special::kTidZ:
        put_special(to, slot.width_bytes,
                    reinterpret_cast<const uint32_t*>(tid + 128 * (static_cast<int>(slot.special) - static_cast<int>(Special::kTidX))));
        continue;
      case Special::kNtidX: value = launch.config->block.x; break;
      case Special::kNtidY: value = launch.config->block.y; break;
      case Special::kNtidZ: value = launch.config->block.z; break;
      case Special::kCtaidX: value = block.index.x; break;
      case Special::kCtaidY: value = block.index.y; break;
      case Special::kCtaidZ: value = block.index.z; break;
      case Special::kNctaidX: value = launch.config->grid.x; break;
      case Special::kNctaidY: value = launch.config->grid.y; break;
      case Special::kNctaidZ: value = launch.config->grid.z; break;
      case Special::kWarpid: value = warp.index; break;
      case Special::kNwarpid: value = launch.warps_per_block; break;
      // Blocks are dealt out to SMs in turn, as on an idle chip of one SM for each block in flight.
      case Special::kSmid: value = block.linear % 132; break;
      case Special::kNsmid: value = 132; break;
      case Special::kGridid: value = 1; break;
      case Special::kDynamicSharedSize: value = launch.config->dynamic_shared_bytes; break;
      case Special::kTotalSharedSize: value = launch.shared_bytes; break;
      case Special::kClusterZero: value = 0; break;
      case Special::kClusterOne: value = 1; break;
      case Special::kLaneid:
      case Special::kLanemaskEq:
      case Special::kLanemaskLe:
      case Special::kLanemaskLt:
      case Special::kLanemaskGe:
      case Special::kLanemaskGt:
        per_lane = true;
        for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
          const uint32_t bit = 1u << lane;
          lanes[lane] = slot.special == Special::kLaneid       ? lane
                        : slot.special == Special::kLanemaskEq ? bit
                        : slot.special == Special::kLanemaskLt ? bit - 1
                        : slot.special == Special::kLanemaskLe ? bit | (bit - 1)
                        : slot.special == Special::kLanemaskGe ? ~(bit - 1)
                                                               : ~(bit | (bit - 1));
        }
        break;
      default: break;
    }
    if (per_lane) {
      put_special(to, slot.width_bytes, lanes);
    } else if (slot.width_bytes == 2) {
      broadcast<uint16_t>(to, value);
    } else if (slot.width_bytes == 8) {
      broadcast<uint64_t>(to, value);
    } else {
      broadcast<uint32_t>(to, value);
    }
  }
}

void enter_frame(Warp& warp, uint16_t index) {
  const CallFrame& frame = warp.frames[index];
  warp.frame_index = index;
  warp.function = frame.function;
  warp.frame = warp.registers.data() + frame.register_base;
  warp.param_base = frame.param_base;
  warp.local_base = frame.local_base;
}

void drop_frames(Warp& warp) {
  const auto in_last = [&](const Path& path) { return path.frame + 1u == warp.frames.size(); };
  while (warp.frames.size() > 1 && std::none_of(warp.paths.begin(), warp.paths.end(), in_last)) warp.frames.pop_back();
}

namespace control {
namespace {

constexpr size_t kMaxCallDepth = 512;
// Frames of a warp: paths name theirs with 16 bits.
constexpr size_t kMaxFrames = 0xffff;

const MicroOp* overflow(Warp& warp, const MicroOp* op) {
  if (Finding* f = note_finding(warp, op, FindingKind::kOutOfBounds, ptx::Space::kLocal, "write",
                                std::countr_zero(warp.mask))) {
    f->message = "the call stack is full: " + std::to_string(warp.frames[warp.frame_index].depth) + " calls deep";
    f->cause = "a recursion without an end, or one that is deeper than a thread's stack";
  }
  fail_launch(warp);
  return finish(warp);
}

void copy_lanes(Warp& warp, uint32_t from_base, uint32_t to_base, const std::vector<CallSite::Copy>& copies) {
  const size_t stride = warp.worker->launch->param_stride;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    uint8_t* lane = warp.params.data() + stride * static_cast<size_t>(std::countr_zero(rest));
    for (const CallSite::Copy& copy : copies) {
      std::memcpy(lane + to_base + copy.to, lane + from_base + copy.from, copy.size_bytes);
    }
  }
}

}  // namespace

const MicroOp* call(Warp& warp, const MicroOp* op) {
  const Launch& launch = *warp.worker->launch;
  const CallSite& site = launch.program->calls[op->imm];
  const DecodedFunction& caller = *warp.function;
  const DecodedFunction& callee = launch.program->functions[static_cast<size_t>(site.callee)];
  const uint16_t depth = static_cast<uint16_t>(warp.frames[warp.frame_index].depth + 1);
  const uint32_t param_base = warp.param_base + caller.param_bytes;
  const uint32_t local_base = warp.local_base + caller.local_bytes;
  const CallFrame& last = warp.frames.back();
  const uint64_t register_base = uint64_t{last.register_base} + (last.function->frame_bytes + 63) / 64 * 64;
  const uint64_t register_end = register_base + callee.frame_bytes;
  if (depth > kMaxCallDepth || warp.frames.size() >= kMaxFrames || register_end > kMostRegisterStackBytes ||
      param_base + callee.param_bytes > launch.param_stride ||
      local_base + callee.local_bytes > launch.local_stride) {
    return overflow(warp, op);
  }
  copy_lanes(warp, warp.param_base, param_base, site.arguments);
  warp.frames.push_back({.function = &callee,
                         .site = &site,
                         .return_to = op + 1,
                         .register_base = static_cast<uint32_t>(register_base),
                         .param_base = param_base,
                         .local_base = local_base,
                         .parent = warp.frame_index,
                         .depth = depth});
  // Twice as much each time, so that a deep recursion does not copy its frames at every call.
  if (register_end > warp.registers.size()) {
    warp.registers.grow(std::max<size_t>(register_end, std::min<size_t>(2 * warp.registers.size(), kMostRegisterStackBytes)));
  }
  // The call is a path of its own: what reconverges inside belongs to this call, not to one further out.
  warp.top().pc = op + 1;
  const auto index = static_cast<uint16_t>(warp.frames.size() - 1);
  warp.paths.push_back({.mask = warp.mask, .frame = index});
  enter_frame(warp, index);
  fill_constants(warp, callee);
  fill_specials(warp, callee);
  return callee.code.data();
}

const MicroOp* return_from_call(Warp& warp, const MicroOp* op) {
  // Lanes that diverged inside the function meet here before it returns.
  while (warp.top().reconvergence == op) {
    warp.paths.pop_back();
    if (warp.top().pc != op || warp.top().wait != Wait::kNothing) return resume(warp);
    set_mask(warp, warp.top().mask);
  }
  const CallFrame frame = warp.frames[warp.frame_index];
  copy_lanes(warp, frame.param_base, warp.frames[frame.parent].param_base, frame.site->results);
  warp.paths.pop_back();
  // Some lanes may have gone ahead of others inside the function: then the caller waits for the rest.
  if (warp.top().mask != warp.mask) return resume(warp);
  drop_frames(warp);
  enter_frame(warp, frame.parent);
  return frame.return_to;
}

}  // namespace control
}  // namespace warpshop::emulator
