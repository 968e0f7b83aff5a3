// Branches, exits, calls, barriers and the instructions at which lanes of a warp converge.
#include <algorithm>

#include "analysis/common_code.h"
#include "analysis/limits.h"
#include "decode/decoder.h"
#include "operations/barrier_places.h"
#include "operations/builtins.h"
#include "operations/collectives.h"
#include "operations/control.h"

namespace warpshop::emulator {

int FunctionDecoder::block_of(const Operand& label) const {
  return flow_.block_of_label[static_cast<size_t>(label.label_index)];
}

void FunctionDecoder::decode_branch(const Instruction& i) {
  if (i.operands.size() != 1 || i.operands[0].kind != Operand::Kind::kLabel) {
    return unsupported(i, sentence("a label of this function was expected"));
  }
  const size_t at = out_.code.size();
  const int target = block_of(i.operands[0]);
  if (i.guard_register < 0) {
    emit(control::branch);
    branch_to(at, target);
    return;
  }
  MicroOp& op = emit(control::branch_if);
  op.a = register_offset_[static_cast<size_t>(i.guard_register)];
  op.flags = i.guard_negated ? 1 : 0;
  branch_to(at, target);
  reconverge_at(at, flow_.blocks[static_cast<size_t>(current_block_)].reconvergence);
}

void FunctionDecoder::decode_indexed_branch(const Instruction& i) {
  const ptx::TargetTable* targets = nullptr;
  if (i.operands.size() == 2) {
    for (const ptx::TargetTable& table : function_.branch_targets) {
      if (table.name == i.operands[1].text) targets = &table;
    }
  }
  if (targets == nullptr || targets->label_indices.empty())
    return unsupported(i, sentence("its table of targets is missing"));
  const size_t at = out_.code.size();
  const auto table = static_cast<int>(program_.branch_tables.size());
  program_.branch_tables.emplace_back(targets->label_indices.size(), 0);
  table_op_[table] = at;
  for (size_t n = 0; n < targets->label_indices.size(); ++n) {
    fix_tables_.emplace_back(table, static_cast<int>(n),
                             flow_.block_of_label[static_cast<size_t>(targets->label_indices[n])]);
  }
  const uint32_t index = source_of(i.operands[0], ptx::Type::kU32);
  MicroOp& op = emit(control::branch_indexed);
  op.a = index;
  op.imm = static_cast<uint64_t>(table);
  reconverge_at(at, flow_.blocks[static_cast<size_t>(current_block_)].reconvergence);
}

void FunctionDecoder::decode_exit(const Instruction& i, bool guard_moved) {
  if (i.opcode == "trap") {
    emit(control::trap);
    return;
  }
  const bool guarded = i.guard_register >= 0 && !guard_moved;
  if (i.opcode == "ret" && !is_kernel()) {
    const size_t at = out_.code.size();
    if (guarded) {
      MicroOp& op = emit(control::branch_if);
      op.a = register_offset_[static_cast<size_t>(i.guard_register)];
      op.flags = i.guard_negated ? 1 : 0;
      reconverge_at(at, flow_.blocks[static_cast<size_t>(current_block_)].reconvergence);
    } else {
      emit(control::branch);
    }
    branch_to(at, flow_.exit_block());
    return;
  }
  if (!guarded) {
    emit(control::exit_lanes);
    return;
  }
  MicroOp& op = emit(control::exit_guarded);
  op.a = register_offset_[static_cast<size_t>(i.guard_register)];
  op.flags = i.guard_negated ? 1 : 0;
}

void FunctionDecoder::decode_call(const Instruction& i) {
  const Operand* results = nullptr;
  const Operand* target = nullptr;
  const Operand* arguments = nullptr;
  for (const Operand& o : i.operands) {
    if (o.kind == Operand::Kind::kList && target == nullptr) results = &o;
    if (o.kind == Operand::Kind::kList && target != nullptr && arguments == nullptr) arguments = &o;
    if (o.kind == Operand::Kind::kSymbol && target == nullptr) target = &o;
    if (o.kind == Operand::Kind::kRegister && target == nullptr) target = &o;
  }
  const bool indirect = target != nullptr && target->kind == Operand::Kind::kRegister;
  if (target == nullptr || (!indirect && target->symbol.table != ptx::Symbol::Table::kFunction)) {
    return unsupported(
        i, sentence("the name of a function or a register with its address was expected"));
  }
  // An indirect call gives its signature by a prototype or a list of functions.
  std::vector<ptx::CallPrototype> made;
  const ptx::CallPrototype* prototype = indirect ? prototype_of(i, made) : nullptr;
  if (indirect && prototype == nullptr)
    return unsupported(i, sentence("its prototype or list of targets is missing"));
  static const ptx::Function kNone;
  const ptx::Function& callee =
      indirect ? kNone : module_.functions[static_cast<size_t>(target->symbol.index)];
  const std::vector<ptx::Variable>& params = indirect ? prototype->params : callee.params;
  const std::vector<ptx::Variable>& returns = indirect ? prototype->returns : callee.returns;
  if (callee.is_entry) return unsupported(i, sentence("a kernel cannot be called"));
  CallSite site;
  // Offset of the call's .param variable in the caller's frame; `bytes` of it are read or written.
  auto offset_of = [&](const Operand& o, uint64_t bytes, uint32_t& offset) {
    const bool in_frame =
        o.symbol.table == ptx::Symbol::Table::kLocalVariable
            ? function_.variables[static_cast<size_t>(o.symbol.index)].space == ptx::Space::kParam
            : !is_kernel() && (o.symbol.table == ptx::Symbol::Table::kParam ||
                               o.symbol.table == ptx::Symbol::Table::kReturnParam);
    if ((o.kind != Operand::Kind::kSymbol && o.kind != Operand::Kind::kAddress) ||
        o.register_index >= 0 || !in_frame) {
      unsupported(i, sentence("an argument in a .param variable was expected"));
      return false;
    }
    const uint64_t at = symbol_address(o.symbol, o.offset);
    if (at > out_.param_bytes || out_.param_bytes - at < bytes) {
      unsupported(i, sentence("an argument reaches outside the .param variables of the call"));
      return false;
    }
    offset = static_cast<uint32_t>(at);
    return true;
  };
  auto bytes_of = [&](const std::vector<ptx::Variable>& variables, size_t n) {
    return n < variables.size() ? variables[n].size_bytes : 0;
  };
  auto in_register = [](const std::vector<ptx::Variable>& variables, size_t n) {
    return n < variables.size() && variables[n].space == ptx::Space::kReg;
  };
  size_t slots = 0;
  std::vector<uint32_t> argument_offsets;
  if (arguments != nullptr) {
    for (const Operand& o : arguments->elements) {
      uint32_t offset = 0;
      if (in_register(params, argument_offsets.size()) && !callee.is_declaration) {
        offset = register_slot(slots++);
        if (!pass_in_register(i, o, params[argument_offsets.size()], offset, false)) return;
        argument_offsets.push_back(offset);
        continue;
      }
      const uint64_t bytes = callee.is_declaration
                                 ? builtin_argument_bytes(callee.name, argument_offsets.size())
                                 : bytes_of(params, argument_offsets.size());
      if (!offset_of(o, bytes, offset)) return;
      argument_offsets.push_back(offset);
    }
  }
  std::vector<uint32_t> result_offsets;
  if (results != nullptr) {
    for (const Operand& o : results->elements) {
      uint32_t offset = 0;
      if (in_register(returns, result_offsets.size()) && !callee.is_declaration) {
        result_offsets.push_back(register_slot(slots++));
        continue;
      }
      if (!offset_of(o,
                     callee.is_declaration ? builtin_result_bytes(callee.name)
                                           : bytes_of(returns, result_offsets.size()),
                     offset))
        return;
      result_offsets.push_back(offset);
    }
  }

  if (callee.is_declaration) {
    const Builtin builtin = find_builtin(callee.name);
    if (builtin == Builtin::kNone) {
      return unsupported(i, sentence("the function \"{name}\" is declared but not defined",
                                     {{"name", callee.name}}));
    }
    site.builtin = static_cast<int>(builtin);
    site.argument_offsets = argument_offsets;
    if (!result_offsets.empty()) site.result_offset = result_offsets[0];
    if (builtin == Builtin::kMalloc || builtin == Builtin::kFree) program_.uses_heap = true;
    program_.calls.push_back(std::move(site));
    emit(call_builtin).imm = program_.calls.size() - 1;
    return;
  }
  if (argument_offsets.size() != params.size() || result_offsets.size() != returns.size()) {
    return unsupported(i, sentence("it passes {given} arguments, \"{name}\" takes {wanted}",
                                   {{"given", argument_offsets.size()},
                                    {"name", callee.name},
                                    {"wanted", params.size()}}));
  }
  if (indirect) {
    decode_indirect_call(i, *target, argument_offsets, result_offsets);
  } else {
    program_.calls.push_back(site_for(target->symbol.index, argument_offsets, result_offsets));
    emit(control::call).imm = program_.calls.size() - 1;
  }
  for (size_t n = 0; n < returns.size(); ++n) {
    if (in_register(returns, n) &&
        !pass_in_register(i, results->elements[n], returns[n], result_offsets[n], true))
      return;
  }
}

uint32_t FunctionDecoder::register_slot(size_t n) {
  constexpr uint32_t kSlotBytes = 16;
  if (register_slots_ == 0)
    register_slots_ = (out_.param_bytes + kSlotBytes) / kSlotBytes * kSlotBytes;
  const uint32_t at = register_slots_ + static_cast<uint32_t>(n) * kSlotBytes;
  out_.param_bytes = std::max(out_.param_bytes, at + kSlotBytes);
  return at;
}

// Stores an argument into the call's frame, or loads a result from it.
bool FunctionDecoder::pass_in_register(const Instruction& i, const Operand& o,
                                       const ptx::Variable& v, uint32_t slot, bool result) {
  const auto bytes = static_cast<int>(v.size_bytes);
  const bool is_register = o.kind == Operand::Kind::kRegister;
  const int width = is_register ? register_bytes(o) : register_width(v.type);
  const Handler run = width == 0 ? nullptr
                      : result   ? find_load_frame(bytes, false, width)
                                 : find_store_frame(bytes, width);
  const bool known = is_register || (result ? o.kind == Operand::Kind::kSink
                                            : o.kind == Operand::Kind::kInteger ||
                                                  o.kind == Operand::Kind::kFloat32 ||
                                                  o.kind == Operand::Kind::kFloat64);
  if (run == nullptr || !known) {
    unsupported(i, sentence("a register of the parameter's size was expected"));
    return false;
  }
  if (result && !is_register) return true;
  MicroOp op;
  op.run = run;
  op.instruction = current_index_;
  op.imm = slot;
  op.d = result        ? destination_of(o, width)
         : is_register ? register_of(o, width)
                       : source_of(o, v.type);
  out_.code.push_back(op);
  return true;
}

CallSite FunctionDecoder::site_for(int callee_index, const std::vector<uint32_t>& argument_offsets,
                                   const std::vector<uint32_t>& result_offsets) const {
  const ptx::Function& callee = module_.functions[static_cast<size_t>(callee_index)];
  CallSite site;
  // Lay out the callee's frame as its own decoder does: results, then parameters.
  Placer placer;
  auto place = [&](const ptx::Variable& v) { return static_cast<uint32_t>(placer.place(v)); };
  for (size_t n = 0; n < callee.returns.size(); ++n) {
    const uint32_t at = place(callee.returns[n]);
    site.results.push_back(
        {at, result_offsets[n], static_cast<uint32_t>(callee.returns[n].size_bytes)});
  }
  for (size_t n = 0; n < callee.params.size(); ++n) {
    const uint32_t at = place(callee.params[n]);
    site.arguments.push_back(
        {argument_offsets[n], at, static_cast<uint32_t>(callee.params[n].size_bytes)});
  }
  site.callee = static_cast<int>(std::find(reached_.begin(), reached_.end(), callee_index) -
                                 reached_.begin());
  return site;
}

// For `call (r), %p, (a), fproto`: the .callprototype of that name, or the signature of the first
// function in a .calltargets list (or in a .global table of functions).
const ptx::CallPrototype* FunctionDecoder::prototype_of(
    const Instruction& i, std::vector<ptx::CallPrototype>& made) const {
  const Operand& last = i.operands.back();
  auto from_function = [&](int index) -> const ptx::CallPrototype* {
    const ptx::Function& f = module_.functions[static_cast<size_t>(index)];
    made.push_back(
        {.name = f.name, .returns = f.returns, .params = f.params, .noreturn = f.noreturn});
    return &made.back();
  };
  if (last.kind == Operand::Kind::kSymbol &&
      last.symbol.table == ptx::Symbol::Table::kModuleVariable) {
    for (const ptx::Relocation& r :
         module_.variables[static_cast<size_t>(last.symbol.index)].relocations) {
      if (r.target.table == ptx::Symbol::Table::kFunction) return from_function(r.target.index);
    }
  }
  if (last.kind != Operand::Kind::kName) return nullptr;
  for (const ptx::CallPrototype& p : function_.prototypes) {
    if (p.name == last.text) return &p;
  }
  for (const ptx::TargetTable& table : function_.call_targets) {
    if (table.name != last.text || table.targets.empty()) continue;
    for (size_t n = 0; n < module_.functions.size(); ++n) {
      if (module_.functions[n].name == table.targets[0]) return from_function(static_cast<int>(n));
    }
  }
  return nullptr;
}

// Creates a call site for each function with a matching signature.
void FunctionDecoder::decode_indirect_call(const Instruction& i, const Operand& target,
                                           const std::vector<uint32_t>& argument_offsets,
                                           const std::vector<uint32_t>& result_offsets) {
  std::vector<ptx::CallPrototype> made;
  const ptx::CallPrototype& prototype = *prototype_of(i, made);
  auto alike = [](const std::vector<ptx::Variable>& a, const std::vector<ptx::Variable>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const ptx::Variable& x, const ptx::Variable& y) {
                        return x.size_bytes == y.size_bytes && x.space == y.space;
                      });
  };
  CallSite site;
  site.sites.assign(module_.functions.size(), -1);
  for (int f : reached_) {
    const ptx::Function& callee = module_.functions[static_cast<size_t>(f)];
    if (callee.is_entry || !alike(callee.params, prototype.params) ||
        !alike(callee.returns, prototype.returns))
      continue;
    site.sites[static_cast<size_t>(f)] = static_cast<int>(program_.calls.size());
    program_.calls.push_back(site_for(f, argument_offsets, result_offsets));
  }
  const uint32_t pointer = source_of(target, ptx::Type::kU64);
  program_.calls.push_back(std::move(site));
  MicroOp& op = emit(control::call_indirect);
  op.a = pointer;
  op.imm = program_.calls.size() - 1;
}

// alloca.type d, bytes{, alignment} · stacksave.type d · stackrestore.type a. PTX ISA §9.7.17.
void FunctionDecoder::decode_stack(const Instruction& i) {
  const ptx::Type type = type_of(i);
  const int bytes = register_width(type);
  const auto& o = i.operands;
  const bool alloca = i.opcode == "alloca";
  if ((bytes != 4 && bytes != 8) || o.empty() || o.size() > (alloca ? 3u : 1u) ||
      (alloca && o.size() < 2)) {
    return unsupported(i, sentence("a register of 32 or 64 bits was expected"));
  }
  uint64_t alignment = 8;
  if (o.size() == 3) {
    if (o[2].kind != Operand::Kind::kInteger || o[2].bits == 0 ||
        (o[2].bits & (o[2].bits - 1)) != 0 || o[2].bits > 4096) {
      return unsupported(i, sentence("the alignment must be a power of two"));
    }
    alignment = o[2].bits;
  }
  MicroOp op;
  op.run = alloca                    ? control::alloca_bytes
           : i.opcode == "stacksave" ? control::stack_save
                                     : control::stack_restore;
  op.instruction = current_index_;
  op.flags = static_cast<uint32_t>(bytes);
  op.imm = alignment;
  if (i.opcode == "stackrestore") {
    op.a = source_of(o[0], type);
  } else {
    op.d = destination_of(o[0], bytes);
  }
  if (alloca) op.a = source_of(o[1], type);
  out_.code.push_back(op);
}

// bar.sync a{, b} · bar.arrive a, b · bar.red.popc.u32 d, a{, b}, {!}c
// bar.red.and.pred p, a{, b}, {!}c · barrier{.cta}.… likewise · bar.warp.sync mask
// PTX ISA §9.7.13.1 to §9.7.13.3.
// barrier.cluster.arrive{.release,.relaxed}{.aligned} · barrier.cluster.wait{.acquire}{.aligned}
void FunctionDecoder::decode_cluster_barrier(const Instruction& i) {
  const bool arrives = has_modifier(i, "arrive");
  if (!i.operands.empty() || arrives == has_modifier(i, "wait"))
    return unsupported(i, sentence("an arrival or a wait was expected"));
  MicroOp& op = emit(arrives ? control::cluster_arrive : control::cluster_wait);
  if (!has_modifier(i, "aligned")) op.flags |= control::kAnyLanes;
  program_.meets_cluster = true;
  program_.has_barrier = true;
  // It also orders the cluster's blocks in global memory.
  program_.orders_blocks = true;
}

void FunctionDecoder::decode_barrier(const Instruction& i) {
  if (has_modifier(i, "warp")) {
    if (i.opcode != "bar" || !has_modifier(i, "sync"))
      return unsupported(i, sentence("bar.warp.sync was expected"));
    return decode_collective(i);
  }
  if (has_modifier(i, "cluster")) return decode_cluster_barrier(i);
  const bool reduce = has_modifier(i, "red");
  const bool arrive = has_modifier(i, "arrive");
  const auto& o = i.operands;
  const size_t first = reduce ? 1 : 0;
  const size_t last = reduce ? 1 : 0;  // operands after the thread count
  if (o.size() < first + last + (reduce ? 1 : 0))
    return unsupported(i, sentence("operands are missing"));
  MicroOp op;
  op.run = control::barrier;
  op.instruction = current_index_;
  uint64_t id = 0;
  uint64_t threads = 0;
  const size_t numbers = o.size() - first - last;
  if (numbers >= 1) {
    if (o[first].kind == Operand::Kind::kInteger) {
      id = o[first].bits;
      if (id > 15) return unsupported(i, sentence("a block has the barriers 0 to 15"));
    } else {
      op.flags |= control::kIdInRegister;
      op.a = source_of(o[first], ptx::Type::kU32);
    }
  }
  if (numbers >= 2) {
    if (o[first + 1].kind == Operand::Kind::kInteger) {
      threads = o[first + 1].bits;
      if (threads % kWarpSize != 0 || threads > 1024)
        return unsupported(i,
                           sentence("the count of threads must be a multiple of 32, up to 1024"));
    } else {
      op.flags |= control::kCountInRegister;
      op.b = source_of(o[first + 1], ptx::Type::kU32);
    }
  }
  if (numbers > 2 || (arrive && numbers < 2))
    return unsupported(i, sentence("a number and a count of threads were expected"));
  op.imm = id | (threads << 32);
  if (arrive) op.flags |= control::kArriveOnly;
  if (numbers == 2) program_.parts_wait = true;
  if (reduce) {
    op.flags |= control::kReduce;
    op.c = predicate_of(o.back(), control::kPredicateNegated, op.flags);
  }
  program_.has_barrier = true;
  if (function_.is_entry) {
    if (common_code_after_.empty()) common_code_after_ = common_code_after(function_, flow_);
    if (common_code_after_[static_cast<size_t>(current_block_)]) op.flags |= kCommonCodeAfter;
  }
  out_.code.push_back(op);
  if (!reduce) return;
  MicroOp result;
  result.run = control::barrier_result;
  result.instruction = current_index_;
  const auto kind = has_modifier(i, "popc")  ? control::BarrierResult::kCount
                    : has_modifier(i, "and") ? control::BarrierResult::kAll
                                             : control::BarrierResult::kAny;
  result.flags = static_cast<uint32_t>(kind);
  result.d = destination_of(o[0], kind == control::BarrierResult::kCount ? 4 : 0);
  out_.code.push_back(result);
}

// True if the member mask is a constant with all lanes. NVRTC usually puts it into a register
// first.
bool FunctionDecoder::names_all_lanes(const Operand& mask) {
  constexpr uint32_t kAll = 0xffffffffu;
  if (mask.kind == Operand::Kind::kInteger) return static_cast<uint32_t>(mask.bits) == kAll;
  if (mask.register_index < 0) return false;
  if (only_all_ones_.empty()) {
    only_all_ones_.assign(function_.registers.size(), true);
    for (const Instruction& i : function_.body) {
      if (i.operands.empty() || i.opcode == "bar" || i.opcode == "barrier")
        continue;  // these read it
      const bool is_mask = i.opcode == "mov" && i.operands.size() == 2 &&
                           i.operands[1].kind == Operand::Kind::kInteger &&
                           static_cast<uint32_t>(i.operands[1].bits) == kAll;
      auto note = [&](const Operand& o) {
        if (o.register_index >= 0 && !is_mask)
          only_all_ones_[static_cast<size_t>(o.register_index)] = false;
      };
      note(i.operands[0]);
      for (const Operand& e : i.operands[0].elements) note(e);
    }
  }
  return only_all_ones_[static_cast<size_t>(mask.register_index)];
}

void FunctionDecoder::decode_collective(const Instruction& i) {
  MicroOp op;
  op.instruction = current_index_;
  op.d = kNoRegister;
  op.e = kNoRegister;
  const auto& o = i.operands;
  auto mode = [&](std::initializer_list<std::string_view> names) -> std::string_view {
    for (std::string_view n : names) {
      if (has_modifier(i, n)) return n;
    }
    return "";
  };
  auto destination = [&](const Operand& dest, int bytes) {
    const Operand* value = &dest;
    if (dest.kind == Operand::Kind::kPair && dest.elements.size() == 2) {
      value = &dest.elements[0];
      if (dest.elements[1].kind != Operand::Kind::kSink) op.e = register_of(dest.elements[1], 0);
    }
    if (value->kind != Operand::Kind::kSink) op.d = register_of(*value, bytes);
  };
  auto members = [&](const Operand& mask) { op.imm = source_of(mask, ptx::Type::kB32); };

  if (i.opcode == "bar") {
    if (o.size() != 1) return unsupported(i, sentence("a mask was expected"));
    op.run = sync_warp;
    members(o[0]);
    if (!names_all_lanes(o[0])) program_.parts_wait = true;
  } else if (i.opcode == "activemask") {
    if (o.size() != 1) return unsupported(i, sentence("one destination was expected"));
    op.run = activemask;
    op.d = destination_of(o[0], 4);
  } else if (i.opcode == "shfl") {
    op.run = find_shuffle(mode({"up", "down", "bfly", "idx"}));
    if (o.size() < 4 || op.run == nullptr)
      return unsupported(i, sentence("five operands were expected"));
    destination(o[0], 4);
    op.a = source_of(o[1], ptx::Type::kB32);
    op.b = source_of(o[2], ptx::Type::kB32);
    op.c = source_of(o[3], ptx::Type::kB32);
    op.imm = o.size() == 5 ? source_of(o[4], ptx::Type::kB32) : constant(0xffffffffu, 4);
  } else if (i.opcode == "vote") {
    const std::string_view name = mode({"ballot", "all", "any", "uni"});
    op.run = find_vote(name);
    if (o.size() < 2 || op.run == nullptr)
      return unsupported(i, sentence("three operands were expected"));
    destination(o[0], name == "ballot" ? 4 : 0);
    op.a = predicate_of(o[1], 1, op.flags);
    op.imm = o.size() == 3 ? source_of(o[2], ptx::Type::kB32) : constant(0xffffffffu, 4);
    if (op.d == kNoRegister)
      return unsupported(i, sentence("a register was expected as destination"));
  } else if (i.opcode == "match") {
    const int bytes = has_modifier(i, "b64") ? 8 : 4;
    op.run = find_match(mode({"any", "all"}), bytes);
    if (o.size() != 3 || op.run == nullptr)
      return unsupported(i, sentence("three operands were expected"));
    destination(o[0], 4);
    op.a = source_of(o[1], bytes == 8 ? ptx::Type::kB64 : ptx::Type::kB32);
    members(o[2]);
  } else if (i.opcode == "redux") {
    op.run = find_redux(mode({"add", "min", "max", "and", "or", "xor"}), has_modifier(i, "s32"));
    if (o.size() != 3 || op.run == nullptr || has_modifier(i, "f32"))
      return unsupported(i, sentence("this reduction is not known"));
    destination(o[0], 4);
    op.a = source_of(o[1], ptx::Type::kB32);
    members(o[2]);
    if (op.d == kNoRegister)
      return unsupported(i, sentence("a register was expected as destination"));
  } else if (i.opcode == "elect") {
    if (o.size() != 2) return unsupported(i, sentence("two operands were expected"));
    op.run = elect;
    destination(o[0], 4);
    members(o[1]);
    if (op.e == kNoRegister)
      return unsupported(i, sentence("a predicate was expected as second destination"));
  }
  out_.code.push_back(op);
}

}  // namespace warpshop::emulator
