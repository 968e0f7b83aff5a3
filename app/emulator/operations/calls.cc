// Calls of device functions. Each has a frame (operations/frame.h) of registers, of parameters and
// of local memory.
//
// A lane is in one chain of calls at a time, so parameters and local memory, which are private to a
// lane, are stacked by call depth. Registers are arrays over all lanes: paths in different calls
// need separate space, so a new frame is placed after all frames in use.
#include <algorithm>
#include <cstring>

#include "analysis/limits.h"
#include "analysis/names.h"
#include "checks/note_finding.h"
#include "operations/control.h"
#include "operations/frame.h"
#include "operations/paths.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator::control {
namespace {

constexpr size_t kMaxCallDepth = 512;
// Limit on frames per warp: paths store a 16-bit index.
constexpr size_t kMaxFrames = 0xffff;

const MicroOp* overflow(Warp& warp, const MicroOp* op, Sentence what) {
  if (Finding* f = note_finding(warp, op, FindingKind::kStackOverflow, ptx::Space::kLocal, "",
                                std::countr_zero(warp.mask))) {
    f->message = std::move(what);
    f->cause = sentence("a recursion without an end, or one that is deeper than a thread's stack");
  }
  fail_launch(warp);
  return finish(warp);
}

const MicroOp* call_stack_is_full(Warp& warp, const MicroOp* op) {
  return overflow(warp, op,
                  sentence("the call stack is full: {calls} calls deep",
                           {{"calls", warp.frames[warp.frame_index].depth}}));
}

void copy_lanes(Warp& warp, uint32_t lanes, uint32_t from_base, uint32_t to_base,
                const std::vector<CallSite::Copy>& copies) {
  const size_t stride = warp.worker->launch->param_stride;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    uint8_t* lane = warp.params.data() + stride * static_cast<size_t>(std::countr_zero(rest));
    for (const CallSite::Copy& copy : copies) {
      std::memcpy(lane + to_base + copy.to, lane + from_base + copy.from, copy.size_bytes);
    }
  }
}

// Creates the frame and the path of a call by some lanes of the running path. False: there is no
// space. The caller's registers may have moved.
bool push_call(Warp& warp, const MicroOp* op, const CallSite& site, uint32_t lanes,
               uint16_t caller_frame) {
  const Launch& launch = *warp.worker->launch;
  const CallFrame caller = warp.frames[caller_frame];
  const DecodedFunction& callee = launch.program->functions[static_cast<size_t>(site.callee)];
  const uint16_t depth = static_cast<uint16_t>(caller.depth + 1);
  const uint32_t param_base = caller.param_base + caller.function->param_bytes;
  const uint32_t local_base = caller.local_base + caller.function->local_bytes;
  const uint32_t local_end =
      launch.program->alloca_base != 0 ? launch.program->alloca_base : launch.local_stride;
  const CallFrame& last = warp.frames.back();
  const uint64_t register_base =
      uint64_t{last.register_base} + (last.function->frame_bytes + 63) / 64 * 64;
  const uint64_t register_end = register_base + callee.frame_bytes;
  if (depth > kMaxCallDepth || warp.frames.size() >= kMaxFrames ||
      register_end > kMostRegisterStackBytes ||
      param_base + callee.param_bytes > launch.param_stride ||
      local_base + callee.local_bytes > local_end) {
    return false;
  }
  copy_lanes(warp, lanes, caller.param_base, param_base, site.arguments);
  warp.frames.push_back({.function = &callee,
                         .site = &site,
                         .return_to = op + 1,
                         .register_base = static_cast<uint32_t>(register_base),
                         .param_base = param_base,
                         .local_base = local_base,
                         .parent = caller_frame,
                         .depth = depth});
  // Double the size each time, so that a deep recursion does not copy its frames at every call.
  if (register_end > warp.registers.size()) {
    warp.registers.grow(std::max<size_t>(
        register_end, std::min<size_t>(2 * warp.registers.size(), kMostRegisterStackBytes)));
  }
  const auto index = static_cast<uint16_t>(warp.frames.size() - 1);
  warp.paths.push_back({.pc = callee.code.data(), .mask = lanes, .frame = index});
  enter_frame(warp, index);
  fill_constants(warp, callee);
  clear_unset(warp, callee);
  fill_specials(warp, callee);
  return true;
}

const MicroOp* report_bad_call(Warp& warp, const MicroOp* op, int lane, uint64_t pointer) {
  const auto& functions = warp.worker->launch->program->module->functions;
  if (Finding* f = note_finding(warp, op, FindingKind::kBadCall, ptx::Space::kGeneric, "", lane)) {
    f->address = pointer;
    if (pointer == 0) {
      f->message = sentence("a call through a null function pointer");
      f->cause =
          sentence("a function pointer, or an object with virtual functions, that was never set");
    } else if (pointer - 1 < functions.size()) {
      f->message = sentence("a call of \"{name}\" through a pointer of another type",
                            {{"name", readable_name(functions[pointer - 1].name)}});
      f->cause = sentence("a function pointer cast to a type with other parameters");
    } else {
      f->message = sentence("a call through a pointer that is the address of no function");
      f->cause = sentence(
          "a function pointer that was never set or was taken on the host, or an object with "
          "virtual functions that was made on the host or overwritten");
    }
  }
  fail_launch(warp);
  return finish(warp);
}

}  // namespace

const MicroOp* call(Warp& warp, const MicroOp* op) {
  const CallSite& site = warp.worker->launch->program->calls[op->imm];
  // A call is a path of its own: reconvergence inside it belongs to this call, not to an outer one.
  warp.top().pc = op + 1;
  if (!push_call(warp, op, site, warp.mask, warp.frame_index)) return call_stack_is_full(warp, op);
  return warp.function->code.data();
}

// Lanes with different pointers make separate calls, one after the other; the caller's path waits.
const MicroOp* call_indirect(Warp& warp, const MicroOp* op) {
  const DecodedProgram& program = *warp.worker->launch->program;
  const CallSite& all = program.calls[op->imm];
  uint64_t pointer[kWarpSize];
  std::copy_n(warp.reg<uint64_t>(op->a), kWarpSize, pointer);
  const uint32_t running = warp.mask;
  const uint16_t caller = warp.frame_index;
  for (uint32_t rest = running; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (pointer[lane] == 0 || pointer[lane] - 1 >= all.sites.size() ||
        all.sites[pointer[lane] - 1] < 0) {
      return report_bad_call(warp, op, lane, pointer[lane]);
    }
  }
  warp.top().pc = op + 1;
  for (uint32_t left = running; left != 0;) {
    const uint64_t first = pointer[std::countr_zero(left)];
    uint32_t lanes = 0;
    for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
      if (pointer[std::countr_zero(rest)] == first) lanes |= rest & (0u - rest);
    }
    left &= ~lanes;
    if (!push_call(warp, op, program.calls[static_cast<size_t>(all.sites[first - 1])], lanes,
                   caller)) {
      return call_stack_is_full(warp, op);
    }
  }
  return resume(warp);
}

const MicroOp* alloca_enter(Warp& warp, const MicroOp* op) {
  uint32_t* mark = warp.reg<uint32_t>(warp.function->alloca_mark);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    mark[lane] = warp.alloca_bytes[static_cast<size_t>(lane)];
  }
  return op + 1;
}

void alloca_leave(Warp& warp) {
  const uint32_t* mark = warp.reg<uint32_t>(warp.function->alloca_mark);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    warp.alloca_bytes[static_cast<size_t>(lane)] = mark[lane];
  }
}

namespace {

uint64_t lane_number(Warp& warp, uint32_t offset, uint32_t bytes, int lane) {
  return bytes == 4 ? warp.reg<uint32_t>(offset)[lane] : warp.reg<uint64_t>(offset)[lane];
}
void set_lane_number(Warp& warp, uint32_t offset, uint32_t bytes, int lane, uint64_t value) {
  if (bytes == 4)
    warp.reg<uint32_t>(offset)[lane] = static_cast<uint32_t>(value);
  else
    warp.reg<uint64_t>(offset)[lane] = value;
}

}  // namespace

const MicroOp* alloca_bytes(Warp& warp, const MicroOp* op) {
  const Launch& launch = *warp.worker->launch;
  const uint32_t base = launch.program->alloca_base;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    uint32_t& taken = warp.alloca_bytes[static_cast<size_t>(lane)];
    const uint64_t size = lane_number(warp, op->a, op->flags, lane);
    const uint64_t start = (uint64_t{base} + taken + op->imm - 1) / op->imm * op->imm;
    if (size > launch.local_stride || start + size > launch.local_stride) {
      return overflow(warp, op,
                      sentence("alloca of {bytes} bytes: the thread has {left} bytes of stack left",
                               {{"bytes", size}, {"left", launch.local_stride - base - taken}}));
    }
    taken = static_cast<uint32_t>(start + size - base);
    // Contents left by an earlier alloca count as uninitialised.
    std::memset(
        warp.local_written.data() + size_t{launch.local_stride} * static_cast<size_t>(lane) + start,
        0, size);
    set_lane_number(warp, op->d, op->flags, lane, start);
  }
  return op + 1;
}

const MicroOp* stack_save(Warp& warp, const MicroOp* op) {
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    set_lane_number(warp, op->d, op->flags, lane, warp.alloca_bytes[static_cast<size_t>(lane)]);
  }
  return op + 1;
}

const MicroOp* stack_restore(Warp& warp, const MicroOp* op) {
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    uint32_t& taken = warp.alloca_bytes[static_cast<size_t>(lane)];
    // Never grow: a value that is not from stacksave must not free memory in use.
    taken =
        static_cast<uint32_t>(std::min<uint64_t>(taken, lane_number(warp, op->a, op->flags, lane)));
  }
  return op + 1;
}

const MicroOp* return_from_call(Warp& warp, const MicroOp* op) {
  // Lanes that diverged inside the function reconverge here before it returns.
  while (warp.top().reconvergence == op) {
    warp.paths.pop_back();
    if (warp.top().pc != op || warp.top().wait != Wait::kNothing) return resume(warp);
    set_mask(warp, warp.top().mask);
  }
  const CallFrame frame = warp.frames[warp.frame_index];
  if (warp.function->uses_alloca) alloca_leave(warp);
  copy_lanes(warp, warp.mask, frame.param_base, warp.frames[frame.parent].param_base,
             frame.site->results);
  warp.paths.pop_back();
  // If lanes were released ahead of others inside the function, the caller waits for the rest.
  if (warp.top().mask != warp.mask) return resume(warp);
  drop_frames(warp);
  enter_frame(warp, frame.parent);
  return frame.return_to;
}

}  // namespace warpshop::emulator::control
