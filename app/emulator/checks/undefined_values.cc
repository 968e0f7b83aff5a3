#include "checks/undefined_values.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "analysis/instructions.h"
#include "analysis/liveness.h"
#include "analysis/source_place.h"
#include "checks/access_findings.h"
#include "checks/note_finding.h"
#include "ptx/operand_registers.h"
#include "state/emulation_thread.h"
#include "state/guard.h"
#include "state/launch_state.h"
#include "state/regions.h"

namespace warpshop::emulator {

// Where the registers that an instruction reads flow to.
struct RegisterFlow {
  enum class To : uint8_t { kRegisters, kSelected, kShuffled, kOutside };
  To to = To::kRegisters;
  std::vector<int> writes;
  std::vector<size_t> reads;
  std::vector<size_t> addresses;  // those of `reads` that form addresses
  int guard = -1;
  bool reads_carry = false;
  bool writes_carry = false;
  bool negated = false;  // kSelected: of its predicate
};

namespace {

// True for instructions whose lanes use each other's operands.
bool joins_lanes(std::string_view opcode) {
  static constexpr std::string_view kJoint[] = {"mma",  "wmma",  "wgmma", "movmatrix",
                                                "vote", "match", "redux", "elect"};
  return std::find(std::begin(kJoint), std::end(kJoint), opcode) != std::end(kJoint);
}

RegisterFlow register_flow_of(const ptx::Instruction& i) {
  RegisterFlow out;
  out.guard = i.guard_register;
  out.writes = ptx::written_registers(i);
  for (size_t n = out.writes.empty() ? 0 : 1; n < i.operands.size(); ++n) {
    const ptx::Operand& operand = i.operands[n];
    ptx::each_register(operand, [&](size_t r) {
      out.reads.push_back(r);
      if (operand.kind == ptx::Operand::Kind::kAddress) out.addresses.push_back(r);
    });
  }
  out.writes_carry = has_modifier(i, "cc");
  out.reads_carry = i.opcode == "addc" || i.opcode == "subc" || i.opcode == "madc";
  if (i.opcode == "shfl") {
    out.to = RegisterFlow::To::kShuffled;
  } else if (has_effect(i) || joins_lanes(i.opcode)) {
    out.to = RegisterFlow::To::kOutside;
  } else if (i.opcode == "selp" && i.operands.size() == 4 && i.operands[3].register_index >= 0) {
    out.to = RegisterFlow::To::kSelected;
    out.negated = i.operands[3].negated;
  }
  return out;
}

bool stands_in_its_function(const Warp& warp, const MicroOp* op) {
  const std::vector<MicroOp>& code = warp.function->code;
  return op >= code.data() && op < code.data() + code.size();
}

int line_of(const Warp& warp, const MicroOp* op) {
  const ptx::Instruction& i = warp.function->source->body[static_cast<size_t>(op->instruction)];
  return source_place(*warp.worker->launch->program->module, i.source).line;
}

// Tracking pauses for lanes gathered from several paths, and while another watch is active.
bool can_follow(const Warp& warp, const MicroOp* op) {
  return stands_in_its_function(warp, op) &&
         (warp.watch == nullptr || warp.watch == warp.undefined.get());
}

}  // namespace

class RegisterFlows {
 public:
  const RegisterFlow& of(const DecodedFunction& function, int instruction) {
    std::vector<RegisterFlow>& flows = by_function_[function.index];
    if (flows.empty()) {
      for (const ptx::Instruction& i : function.source->body) flows.push_back(register_flow_of(i));
    }
    return flows[static_cast<size_t>(instruction)];
  }
  static RegisterFlows& of(EmulationThread& worker) {
    if (!worker.flows) worker.flows = std::make_shared<RegisterFlows>();
    return *worker.flows;
  }

 private:
  std::map<int, std::vector<RegisterFlow>> by_function_;
};

const MicroOp* after_local_load(Warp& warp, const MicroOp* op, int bytes, uint32_t undefined) {
  if (!can_follow(warp, op)) return op + 1;
  const bool follows = warp.undefined != nullptr;
  if (!follows) {
    warp.undefined = std::make_shared<UndefinedValues>();
    warp.watch = warp.undefined.get();
  }
  warp.undefined->loaded(warp, op, bytes, undefined);
  if (follows) return op + 1;
  run_watched(warp, op + 1);
  return nullptr;
}

const MicroOp* after_shuffle(Warp& warp, const MicroOp* op, const ShuffleSources& from,
                             uint32_t undefined) {
  if (!can_follow(warp, op)) {
    if (undefined != 0) {
      UndefinedValues::note(
          warp, {.op = op, .from = from, .lanes = undefined, .mask = warp.mask, .live = warp.live},
          undefined, Severity::kWarning, nullptr);
    }
    return op + 1;
  }
  const bool follows = warp.undefined != nullptr;
  if (!follows) {
    warp.undefined = std::make_shared<UndefinedValues>();
    warp.watch = warp.undefined.get();
  }
  warp.undefined->shuffled(warp, op, from, undefined);
  if (follows) return op + 1;
  run_watched(warp, op + 1);
  return nullptr;
}

void UndefinedValues::note(Warp& warp, const Read& read, uint32_t lanes, Severity severity,
                           const MicroOp* use) {
  const int lane = std::countr_zero(lanes);
  const int from = read.from[static_cast<size_t>(lane)];
  // Its lanes are counted when they read it.
  const uint64_t times = use != nullptr ? 0 : static_cast<uint64_t>(std::popcount(lanes));
  Finding* f = note_finding(warp, read.op, FindingKind::kSyncwarpMask, ptx::Space::kGeneric, "",
                            lane, times, severity);
  if (f == nullptr) return;
  const bool exists = (warp.first_mask >> from) & 1u;
  const Sentence why = !exists                           ? sentence("the block has no such thread")
                       : ((read.live >> from) & 1u) == 0 ? sentence("it has left the kernel")
                       : ((read.mask >> from) & 1u) == 0 ? sentence("it went another way")
                                                         : sentence("the mask does not name it");
  std::vector<SentencePart> parts = {{"lane", lane}, {"from", from}, {"why", why}};
  if (exists) f->other_who = place_of_lane(warp, from);
  if (severity == Severity::kNote) {
    f->message = sentence(
        "lane {lane} reads a register of lane {from}, which does not take part in the shuffle "
        "({why}): the value is undefined, but no result depends on it",
        std::move(parts));
    f->cause = sentence(
        "no store, address or branch is made from the value, so the results stand; a guard on the "
        "lane that is read, or a width, would do without it");
    return;
  }
  f->cause = sentence(
      "let all lanes of the warp reach the shuffle, or give it a width or a guard that keeps to "
      "the lanes there are");
  const int line = use == nullptr ? 0 : line_of(warp, use);
  if (line == 0) {
    f->message = sentence(
        "lane {lane} reads a register of lane {from}, which does not take part in the shuffle "
        "({why}): the value is undefined",
        std::move(parts));
    return;
  }
  parts.emplace_back("line", line);
  f->message = sentence(
      "lane {lane} reads a register of lane {from}, which does not take part in the shuffle "
      "({why}): the value is undefined, and line {line} uses it",
      std::move(parts));
}

UndefinedValues::Registers& UndefinedValues::registers_of(const Warp& warp, uint16_t frame) {
  const size_t count = warp.frames[frame].function->source->registers.size() + 1;
  if (frames_.size() <= frame) frames_.resize(size_t{frame} + 1);
  Registers& out = frames_[frame];
  // A frame may have been reused for another function's call.
  if (out.size() != count) out.assign(count, {});
  return out;
}

void UndefinedValues::use(Warp& warp, const MicroOp* op, const Undefined& value) {
  Read& read = reads_[value.read];
  if (std::exchange(read.reported, true)) return;
  const uint32_t own = read.lanes & value.lanes;
  const uint32_t lanes = own != 0 ? own : read.lanes;
  if (read.bytes == 0) return note(warp, read, lanes, Severity::kWarning, op);
  note_local(warp, read, lanes, line_of(warp, op));
}

void UndefinedValues::note_local(Warp& warp, const Read& read, uint32_t lanes, int use_line) {
  const Region region = region_of_space(warp, read.op, ptx::Space::kLocal);
  Finding* f =
      note_uninitialised(warp, read.op, region, ptx::Space::kLocal, std::countr_zero(lanes),
                         read.address, read.bytes, static_cast<uint64_t>(std::popcount(lanes)));
  if (f != nullptr && use_line > 0 && use_line != f->place.line) {
    f->message.then(sentence("line {line} uses it", {{"line", use_line}}), ", ");
  }
}

uint32_t UndefinedValues::entry_of(const Read& read) {
  const auto known =
      std::find_if(reads_.begin(), reads_.end(), [&](const Read& r) { return r.op == read.op; });
  if (known != reads_.end()) return static_cast<uint32_t>(known - reads_.begin());
  reads_.push_back(read);
  return static_cast<uint32_t>(reads_.size() - 1);
}

void UndefinedValues::loaded(Warp& warp, const MicroOp* op, int bytes, uint32_t undefined) {
  const uint64_t address =
      warp.worker->access.address[static_cast<size_t>(std::countr_zero(undefined))];
  const uint32_t entry = entry_of({.op = op,
                                   .bytes = bytes,
                                   .address = address,
                                   .lanes = undefined,
                                   .mask = warp.mask,
                                   .live = warp.live});
  Registers& registers = registers_of(warp, warp.frame_index);
  for (const size_t r :
       RegisterFlows::of(*warp.worker).of(*warp.function, op->instruction).writes) {
    registers[r].add({undefined, entry}, warp.mask);
  }
}

void UndefinedValues::shuffled(Warp& warp, const MicroOp* op, const ShuffleSources& from,
                               uint32_t undefined) {
  Undefined result;
  if (undefined != 0) {
    const Read read{
        .op = op, .from = from, .lanes = undefined, .mask = warp.mask, .live = warp.live};
    note(warp, read, undefined, Severity::kNote, nullptr);
    result = {undefined, entry_of(read)};
  }
  Registers& registers = registers_of(warp, warp.frame_index);
  const RegisterFlow& flow = RegisterFlows::of(*warp.worker).of(*warp.function, op->instruction);
  const ptx::Instruction& i = warp.function->source->body[static_cast<size_t>(op->instruction)];
  // The value moves between lanes; the selectors (which lane, in range or not) are the reader's
  // own.
  Undefined selectors;
  for (size_t n = 1; n < i.operands.size(); ++n) {
    ptx::each_register(i.operands[n], [&](size_t r) {
      if (n > 1) return selectors.add(registers[r], warp.mask);
      uint32_t moved = 0;
      for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<size_t>(std::countr_zero(rest));
        moved |= (registers[r].lanes >> from[lane] & 1u) << lane;
      }
      result.add({moved, registers[r].read}, warp.mask);
    });
  }
  result.add(selectors, warp.mask);
  // The first result is the value; the second says whether the source lane is in range.
  for (size_t n = 0; n < flow.writes.size(); ++n) {
    Undefined& to = registers[flow.writes[n]];
    const bool is_value = i.operands[0].kind != ptx::Operand::Kind::kPair ||
                          i.operands[0].elements[0].register_index == flow.writes[n];
    to.lanes &= ~warp.mask;
    to.add(is_value ? result : selectors, warp.mask);
  }
}

void UndefinedValues::joins_other_paths(Warp& warp, const Path& path) {
  const DecodedFunction& function = *warp.frames[path.frame].function;
  Registers& registers = registers_of(warp, path.frame);
  const RegisterFlow& flow = RegisterFlows::of(*warp.worker).of(function, path.pc->instruction);
  const DecodedFunction* running = std::exchange(warp.function, &function);
  for (const size_t r : flow.reads) {
    if ((registers[r].lanes & path.mask) != 0) use(warp, path.pc, registers[r]);
  }
  warp.function = running;
  for (const size_t r : flow.writes) registers[r].lanes &= ~path.mask;
}

void UndefinedValues::before(Warp& warp, const MicroOp* op) {
  if (op->instruction < 0 || op->run == control::unguard) return;
  const RegisterFlow& flow = RegisterFlows::of(*warp.worker).of(*warp.function, op->instruction);
  Registers& registers = registers_of(warp, warp.frame_index);
  Undefined guard;
  if (flow.guard >= 0) guard.add(registers[static_cast<size_t>(flow.guard)], warp.mask);
  const bool is_guard = op->run == control::guard;
  const bool leaves =
      flow.to == RegisterFlow::To::kOutside || flow.to == RegisterFlow::To::kShuffled;
  if (is_guard) {
    // Whether the instruction is executed is undefined, and so are its results.
    if (leaves && guard.lanes != 0) use(warp, op, guard);
    if (!leaves) {
      for (const size_t r : flow.writes) registers[r].add(guard, warp.mask);
    }
    return;
  }
  // shuffled() sees the lanes that it reads from.
  if (flow.to == RegisterFlow::To::kShuffled) return;
  for (const size_t r : flow.addresses) {
    if ((registers[r].lanes & warp.mask) != 0) use(warp, op, registers[r]);
  }
  Undefined result = guard;
  if (flow.to == RegisterFlow::To::kSelected) {
    const ptx::Instruction& i = warp.function->source->body[static_cast<size_t>(op->instruction)];
    const auto selector = static_cast<size_t>(i.operands[3].register_index);
    uint32_t first = *warp.reg<uint32_t>(warp.function->register_offset[selector]);
    if (flow.negated) first = ~first;
    if (i.operands[1].register_index >= 0)
      result.add(registers[static_cast<size_t>(i.operands[1].register_index)], warp.mask & first);
    if (i.operands[2].register_index >= 0)
      result.add(registers[static_cast<size_t>(i.operands[2].register_index)], warp.mask & ~first);
    result.add(registers[selector], warp.mask);
  } else {
    for (const size_t r : flow.reads) result.add(registers[r], warp.mask);
    if (flow.reads_carry) result.add(registers.back(), warp.mask);
  }
  if (flow.to == RegisterFlow::To::kOutside) {
    if (result.lanes != 0) use(warp, op, result);
    result = {};
  }
  const auto write = [&](Undefined& to) {
    to.lanes &= ~warp.mask;
    to.add(result, warp.mask);
  };
  for (const size_t r : flow.writes) write(registers[r]);
  if (flow.writes_carry) write(registers.back());
}

}  // namespace warpshop::emulator
