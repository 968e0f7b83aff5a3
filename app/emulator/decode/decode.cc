// A function's frame and basic blocks, and the dispatch of instructions to their decoders.
#include <algorithm>
#include <unordered_map>

#include "access/bulk_store.h"
#include "access/memory_ops.h"
#include "analysis/limits.h"
#include "analysis/liveness.h"
#include "analysis/source_place.h"
#include "checks/division.h"
#include "decode/decoder.h"
#include "lanes/lane_forms.h"
#include "operations/control.h"
#include "operations/video.h"
#include "ptx/operand_registers.h"
#include "state/guard.h"

namespace warpshop::emulator {
namespace {

const MicroOp* no_operation(Warp&, const MicroOp* op) { return op + 1; }

// Problems reported per kernel: nobody reads more, and a million invalid instructions must not take
// hours.
constexpr size_t kMostProblems = 100;

std::string form_text(const ptx::Instruction& i) {
  std::string form = i.opcode;
  for (const std::string& m : i.modifiers) {
    form += '.';
    form += m;
  }
  return form;
}

}  // namespace

FunctionDecoder::FunctionDecoder(DecodedProgram& program, const SharedLayout& shared,
                                 const std::vector<int>& reached, int function,
                                 Diagnostics& problems)
    : program_(program),
      shared_(shared),
      reached_(reached),
      module_(*program.module),
      function_(module_.functions[static_cast<size_t>(function)]),
      slot_(
          static_cast<int>(std::find(reached.begin(), reached.end(), function) - reached.begin())),
      problems_(problems) {
  out_.source = &function_;
  out_.index = function;
}

void FunctionDecoder::unsupported(const Instruction& i, Sentence why) {
  const SourcePlace place = source_place(module_, i.source);
  const std::vector<SentencePart> parts = {{"instruction", i.text},
                                           {"ptx_line", i.ptx_line},
                                           {"line", place.line},
                                           {"why", std::move(why)}};
  Diagnostic d = make_error_at(
      place, "unsupported",
      place.line > 0
          ? sentence("the emulator cannot run `{instruction}` (PTX line {ptx_line}, line {line} of "
                     "the kernel): {why}",
                     parts)
          : sentence("the emulator cannot run `{instruction}` (PTX line {ptx_line}): {why}", parts),
      sentence("write it in another way, or run this kernel on a GPU"));
  if (problems_.size() >= kMostProblems) return;
  for (const Diagnostic& known : problems_) {
    if (known.message == d.message) return;
  }
  problems_.push_back(std::move(d));
}

MicroOp& FunctionDecoder::emit(Handler run) {
  MicroOp op;
  op.run = run;
  op.instruction = current_index_;
  out_.code.push_back(op);
  return out_.code.back();
}

void FunctionDecoder::place_registers() {
  // Wide registers first: then every array starts at a multiple of 64 without gaps. Unused
  // registers get no space: `.reg .b32 %r<100000>` costs nothing.
  std::vector<bool> named(function_.registers.size(), false);
  for (const Instruction& i : function_.body) {
    if (i.guard_register >= 0) named[static_cast<size_t>(i.guard_register)] = true;
    for (const Operand& o : i.operands) ptx::each_register(o, [&](size_t r) { named[r] = true; });
  }
  // Parameters in registers come first.
  std::fill_n(named.begin(), std::min(named.size(), register_parameters().size()), true);
  register_offset_.assign(function_.registers.size(), 0);
  uint64_t bytes = 0;
  for (const int width : {16, 8, 4, 2, 0}) {
    for (size_t r = 0; r < function_.registers.size() && bytes <= kMostRegisterBytes; ++r) {
      const ptx::Type type = function_.registers[r].type;
      if (!named[r] || register_width(type) != width) continue;
      register_offset_[r] = static_cast<uint32_t>(bytes);
      bytes += width == 0 ? 4u : static_cast<uint32_t>(width) * kWarpSize;
    }
  }
  out_.frame_bytes = static_cast<uint32_t>(bytes);
  out_.register_offset = register_offset_;
  for (size_t r = 0; r < named.size(); ++r) {
    if (!named[r]) out_.register_offset[r] = kNoRegister;
  }
}

// Checks the size of registers, constants and special registers together.
bool FunctionDecoder::frame_fits() {
  if (out_.frame_bytes <= kMostRegisterBytes) return true;
  problems_.push_back(
      make_error("unsupported",
                 sentence("\"{name}\" (PTX line {ptx_line}) needs more registers and constants "
                          "than a thread's local memory could hold",
                          {{"name", function_.name}, {"ptx_line", function_.ptx_line}}),
                 sentence("split the function")));
  return false;
}

void FunctionDecoder::place_frame_variables() {
  // check_sizes has ensured that the sums are small.
  Placer local;
  Placer param;
  auto place = [](Placer& placer, const ptx::Variable& v) {
    return static_cast<uint32_t>(placer.place(v));
  };
  if (!is_kernel()) {
    for (const ptx::Variable& v : function_.returns) out_.return_offset.push_back(place(param, v));
    for (const ptx::Variable& v : function_.params) out_.param_offset.push_back(place(param, v));
  }
  for (const ptx::Variable& v : function_.variables) {
    uint32_t offset = 0;
    if (v.space == ptx::Space::kLocal) offset = place(local, v);
    if (v.space == ptx::Space::kParam) offset = place(param, v);
    variable_offset_.push_back(offset);
  }
  out_.local_bytes = static_cast<uint32_t>((local.end() + 15) / 16 * 16);
  out_.param_bytes = static_cast<uint32_t>((param.end() + 15) / 16 * 16);
}

void FunctionDecoder::count_reads() {
  reads_.assign(function_.registers.size(), 0);
  for (const Instruction& i : function_.body) {
    ptx::each_read(i, [&](size_t r) { ++reads_[r]; });
  }
}

std::vector<const ptx::Variable*> FunctionDecoder::register_parameters() const {
  std::vector<const ptx::Variable*> found;
  for (const auto* variables : {&function_.returns, &function_.params}) {
    for (const ptx::Variable& v : *variables) {
      if (v.space == ptx::Space::kReg) found.push_back(&v);
    }
  }
  return found;
}

// Parameters in registers also travel through the call's frame: the function loads them at its
// start and stores results at its end. The caller has checked their types.
void FunctionDecoder::hand_over_registers(const std::vector<ptx::Variable>& variables, bool take) {
  if (is_kernel()) return;
  const std::vector<const ptx::Variable*> all = register_parameters();
  const std::vector<uint32_t>& offsets = take ? out_.param_offset : out_.return_offset;
  current_index_ = -1;
  for (size_t n = 0; n < variables.size(); ++n) {
    const auto at = std::find(all.begin(), all.end(), &variables[n]);
    if (at == all.end()) continue;
    const int width = register_width(variables[n].type);
    const auto bytes = static_cast<int>(variables[n].size_bytes);
    const Handler run =
        take ? find_load_frame(bytes, false, width) : find_store_frame(bytes, width);
    if (run == nullptr) continue;
    MicroOp& op = emit(run);
    op.d = register_offset_[static_cast<size_t>(at - all.begin())];
    op.imm = offsets[n];
  }
}

void FunctionDecoder::decode() {
  place_registers();
  if (!frame_fits()) return;
  place_frame_variables();
  count_reads();
  flow_ = build_control_flow(function_);
  for (const size_t r : registers_read_unset(function_, flow_)) {
    const int width = register_width(function_.registers[r].type);
    // Of the widest type, each half has a slot of its own.
    for (int half = 0; half < std::max(1, width / 8); ++half) {
      out_.unset.push_back(
          {.offset = register_offset_[r] + static_cast<uint32_t>(8 * half * kWarpSize),
           .width_bytes = static_cast<uint8_t>(std::min(width, 8))});
    }
  }
  contractions_ = find_contractions(function_, flow_);
  out_.first_block = program_.basic_blocks;
  out_.uses_alloca = std::any_of(function_.body.begin(), function_.body.end(),
                                 [](const Instruction& i) { return i.opcode == "alloca"; });
  if (out_.uses_alloca) {
    out_.alloca_mark = scratch(0, 4);
    program_.alloca_base = 1;  // set by measure_stacks
    emit(control::alloca_enter);
  }
  hand_over_registers(function_.params, true);
  block_start_.assign(flow_.blocks.size() + 1, 0);
  for (int b = 0; b < flow_.exit_block() && out_.frame_bytes <= kMostRegisterBytes; ++b)
    decode_block(b);
  if (!frame_fits()) return;
  // The end of the function: lanes of a device function reconverge here, those of a kernel exit.
  block_start_[flow_.blocks.size()] = out_.code.size();
  current_index_ = -1;
  hand_over_registers(function_.returns, false);
  emit(is_kernel() ? control::exit_lanes : control::return_from_call);
  resolve_branches();
  // Reject forms that a decoder accepted without a handler.
  for (const MicroOp& op : out_.code) {
    if (op.run == nullptr)
      unsupported(function_.body[static_cast<size_t>(op.instruction)],
                  sentence("this form is not known"));
  }
  // Frames are stored contiguously, and every array in them starts at a multiple of 64.
  out_.frame_bytes = (out_.frame_bytes + 63) / 64 * 64;
  program_.basic_blocks += flow_.exit_block();
  program_.functions[static_cast<size_t>(slot_)] = std::move(out_);
}

void FunctionDecoder::decode_block(int block) {
  const BasicBlock& b = flow_.blocks[static_cast<size_t>(block)];
  current_block_ = block;
  block_start_[static_cast<size_t>(block)] = out_.code.size();
  DecodedProgram::BlockOfInstructions counted;
  counted.function = slot_;
  for (int n = b.first; n < b.end; ++n) {
    if (!flow_.items[static_cast<size_t>(n)].skip_branch) {
      counted.instructions.push_back(flow_.items[static_cast<size_t>(n)].instruction);
    }
  }
  current_index_ = -1;
  MicroOp& enter =
      emit(b.is_reconvergence_point ? control::enter_reconvergence_block : control::enter_block);
  enter.imm = static_cast<uint64_t>(out_.first_block + block);
  enter.d = static_cast<uint32_t>(counted.instructions.size());
  program_.block_instructions.push_back(std::move(counted));
  for (int n = b.first; n < b.end; ++n) decode_item(flow_.items[static_cast<size_t>(n)]);
}

void FunctionDecoder::decode_item(const CodeItem& item) {
  const Instruction& i = function_.body[static_cast<size_t>(item.instruction)];
  current_ = &i;
  current_index_ = item.instruction;
  if (item.skip_branch) {
    // Branch over the next block if the guard is false.
    const size_t at = out_.code.size();
    MicroOp& op = emit(control::branch_if);
    op.a = register_offset_[static_cast<size_t>(i.guard_register)];
    op.flags = i.guard_negated ? 0 : 1;
    branch_to(at, current_block_ + 2);
    reconverge_at(at, flow_.blocks[static_cast<size_t>(current_block_)].reconvergence);
    return;
  }
  const bool guarded =
      i.guard_register >= 0 && !item.unguarded && i.opcode != "bra" && !ends_thread(i);
  size_t guard_at = 0;
  if (guarded) {
    guard_at = out_.code.size();
    MicroOp& op = emit(control::guard);
    op.a = register_offset_[static_cast<size_t>(i.guard_register)];
    op.flags = i.guard_negated ? 1 : 0;
  }
  if (ends_thread(i)) {
    decode_exit(i, item.unguarded);
  } else if (const auto fused = contractions_.find(item.instruction);
             fused != contractions_.end()) {
    decode_contraction(i, fused->second);
  } else {
    decode_instruction(i);
  }
  if (guarded) {
    emit(control::unguard);
    out_.code[guard_at].imm = out_.code.size() - guard_at;
  }
}

void FunctionDecoder::decode_instruction(const Instruction& i) {
  using Decode = void (*)(FunctionDecoder&, const Instruction&);
  static const std::unordered_map<std::string_view, Decode> kByOpcode = {
      {"ld", [](FunctionDecoder& d, const Instruction& x) { d.decode_load(x), d.decode_order(x); }},
      {"ldu", [](FunctionDecoder& d, const Instruction& x) { d.decode_load(x); }},
      {"st",
       [](FunctionDecoder& d, const Instruction& x) { d.decode_store(x), d.decode_order(x); }},
      {"atom", [](FunctionDecoder& d,
                  const Instruction& x) { d.decode_atomic(x, false), d.decode_order(x); }},
      {"red", [](FunctionDecoder& d,
                 const Instruction& x) { d.decode_atomic(x, true), d.decode_order(x); }},
      {"cvta", [](FunctionDecoder& d, const Instruction& x) { d.decode_cvta(x); }},
      {"isspacep", [](FunctionDecoder& d, const Instruction& x) { d.decode_isspacep(x); }},
      {"mov", [](FunctionDecoder& d, const Instruction& x) { d.decode_move(x); }},
      {"bra", [](FunctionDecoder& d, const Instruction& x) { d.decode_branch(x); }},
      {"brx", [](FunctionDecoder& d, const Instruction& x) { d.decode_indexed_branch(x); }},
      {"call", [](FunctionDecoder& d, const Instruction& x) { d.decode_call(x); }},
      {"alloca", [](FunctionDecoder& d, const Instruction& x) { d.decode_stack(x); }},
      {"stacksave", [](FunctionDecoder& d, const Instruction& x) { d.decode_stack(x); }},
      {"stackrestore", [](FunctionDecoder& d, const Instruction& x) { d.decode_stack(x); }},
      {"bar", [](FunctionDecoder& d, const Instruction& x) { d.decode_barrier(x); }},
      {"barrier", [](FunctionDecoder& d, const Instruction& x) { d.decode_barrier(x); }},
      {"shfl", [](FunctionDecoder& d, const Instruction& x) { d.decode_collective(x); }},
      {"vote", [](FunctionDecoder& d, const Instruction& x) { d.decode_collective(x); }},
      {"match", [](FunctionDecoder& d, const Instruction& x) { d.decode_collective(x); }},
      {"redux", [](FunctionDecoder& d, const Instruction& x) { d.decode_collective(x); }},
      {"elect", [](FunctionDecoder& d, const Instruction& x) { d.decode_collective(x); }},
      {"activemask", [](FunctionDecoder& d, const Instruction& x) { d.decode_collective(x); }},
      {"mapa", [](FunctionDecoder& d, const Instruction& x) { d.decode_cluster_address(x); }},
      {"getctarank", [](FunctionDecoder& d, const Instruction& x) { d.decode_cluster_address(x); }},
      {"createpolicy", [](FunctionDecoder& d, const Instruction& x) { d.decode_cache_policy(x); }},
      {"cp", [](FunctionDecoder& d, const Instruction& x) { d.decode_async_copy(x); }},
      {"mbarrier", [](FunctionDecoder& d, const Instruction& x) { d.decode_mbarrier(x); }},
      {"ldmatrix", [](FunctionDecoder& d, const Instruction& x) { d.decode_matrix_access(x); }},
      {"stmatrix", [](FunctionDecoder& d, const Instruction& x) { d.decode_matrix_access(x); }},
      {"movmatrix", [](FunctionDecoder& d, const Instruction& x) { d.decode_matrix_move(x); }},
      {"mma", [](FunctionDecoder& d, const Instruction& x) { d.decode_mma(x); }},
      {"wmma", [](FunctionDecoder& d, const Instruction& x) { d.decode_wmma(x); }},
      {"wgmma", [](FunctionDecoder& d, const Instruction& x) { d.decode_wgmma(x); }},
      {"tex", [](FunctionDecoder& d, const Instruction& x) { d.decode_texture_fetch(x); }},
      {"tld4", [](FunctionDecoder& d, const Instruction& x) { d.decode_texture_fetch(x); }},
      {"suld", [](FunctionDecoder& d, const Instruction& x) { d.decode_surface_access(x); }},
      {"sust", [](FunctionDecoder& d, const Instruction& x) { d.decode_surface_access(x); }},
      {"sured", [](FunctionDecoder& d, const Instruction& x) { d.decode_surface_access(x); }},
      {"txq", [](FunctionDecoder& d, const Instruction& x) { d.decode_texture_query(x); }},
      {"suq", [](FunctionDecoder& d, const Instruction& x) { d.decode_texture_query(x); }},
      // Ordering and hints: the emulator's memory is sequential and its registers unlimited, so
      // these do nothing.
      {"membar", [](FunctionDecoder& d, const Instruction& x) { d.decode_fence(x); }},
      {"fence", [](FunctionDecoder& d, const Instruction& x) { d.decode_fence(x); }},
      {"prefetch", [](FunctionDecoder& d, const Instruction&) { d.emit(no_operation); }},
      {"prefetchu", [](FunctionDecoder& d, const Instruction&) { d.emit(no_operation); }},
      {"discard", [](FunctionDecoder& d, const Instruction&) { d.emit(no_operation); }},
      {"applypriority", [](FunctionDecoder& d, const Instruction&) { d.emit(no_operation); }},
      {"nanosleep", [](FunctionDecoder& d, const Instruction&) { d.emit(no_operation); }},
      {"pmevent", [](FunctionDecoder& d, const Instruction&) { d.emit(no_operation); }},
      {"griddepcontrol", [](FunctionDecoder& d, const Instruction&) { d.emit(no_operation); }},
      {"setmaxnreg", [](FunctionDecoder& d, const Instruction&) { d.emit(no_operation); }},
  };
  if (video::find_operation(i.opcode)) return decode_video(i);
  if (const auto it = kByOpcode.find(i.opcode); it != kByOpcode.end()) {
    it->second(*this, i);
  } else {
    decode_lane_form(i);
  }
}

void FunctionDecoder::decode_fence(const Instruction& i) {
  // These order nothing between threads: proxies of one thread's accesses, and what barrier.cluster
  // then publishes.
  if (has_modifier(i, "mbarrier_init") || has_modifier(i, "async") ||
      has_modifier(i, "async::generic") || has_modifier(i, "alias")) {
    const bool shared = has_modifier(i, "async") && !has_modifier(i, "global");
    emit(shared ? bulk_copy::fence_proxies : no_operation);
    return;
  }
  const bool block_only = has_modifier(i, "cta");
  if (!block_only) program_.orders_blocks = program_.orders_by_flags = true;
  program_.orders_warps = true;
  emit(block_only ? fence_of_the_block : fence_of_the_grid);
}

void FunctionDecoder::decode_lane_form(const Instruction& i) {
  const int dest_bits = i.operands.empty() ? 0 : 8 * register_bytes(i.operands[0]);
  const int source_bits = i.operands.size() < 2 ? 0 : 8 * register_bytes(i.operands[1]);
  const LaneForm* form = find_lane_form(form_text(i), dest_bits, source_bits);
  if (form == nullptr) {
    unsupported(i, sentence("this instruction form is not known"));
    return;
  }
  if (static_cast<int>(i.operands.size()) != 1 + form->source_count) {
    unsupported(i, sentence("it has {given} operands, {wanted} were expected",
                            {{"given", i.operands.size()}, {"wanted", 1 + form->source_count}}));
    return;
  }
  MicroOp op;
  op.run = form->run;
  op.instruction = current_index_;
  op.e = kNoRegister;
  const Operand* dest = &i.operands[0];
  const bool is_pair = dest->kind == Operand::Kind::kPair;
  if (is_pair) {
    if (!form->pair || dest->elements.size() != 2) {
      unsupported(i, sentence("a pair of destinations is not known here"));
      return;
    }
    op.e = dest->elements[1].kind == Operand::Kind::kSink ? kNoRegister
                                                          : register_of(dest->elements[1], 0);
    dest = &dest->elements[0];
  }
  op.d = destination_of(*dest, register_width(form->dest));
  uint32_t* const slots[] = {&op.a, &op.b, &op.c, &op.e};
  for (int s = 0; s < form->source_count; ++s) {
    const Operand& o = i.operands[static_cast<size_t>(s) + 1];
    const ptx::Type type = form->source[static_cast<size_t>(s)];
    if (s == form->immediate_source) {
      if (o.kind != Operand::Kind::kInteger) unsupported(i, sentence("a constant was expected"));
      op.imm = form->far_source < 0 ? o.bits : o.bits & 0xffffffffu;
    } else if (s == form->far_source) {
      op.imm |= uint64_t{predicate_of(o, 1u << s, op.flags)} << 32;
    } else if (type == ptx::Type::kPred) {
      *slots[s] = predicate_of(o, 1u << s, op.flags);
    } else if (i.opcode == "cvt" && s == 0 && o.kind == Operand::Kind::kRegister &&
               register_bytes(o) >= 2 && register_bytes(o) <= 8) {
      *slots[s] = register_offset_[static_cast<size_t>(o.register_index)];
    } else {
      *slots[s] = source_of(o, type);
    }
  }
  check_divisors(i, *form, op);
  out_.code.push_back(op);
}

void FunctionDecoder::resolve_branches() {
  auto delta = [&](size_t op, int block) {
    return static_cast<uint32_t>(static_cast<int32_t>(
        static_cast<int64_t>(block_start_[static_cast<size_t>(block)]) - static_cast<int64_t>(op)));
  };
  for (const auto& [op, block] : fix_target_) out_.code[op].d = delta(op, block);
  for (const auto& [op, block] : fix_reconvergence_) {
    // Lanes of a kernel need not reconverge at its end; those of a function reconverge at the
    // return.
    const bool at_end = block == flow_.exit_block();
    out_.code[op].e = !at_end       ? delta(op, block)
                      : is_kernel() ? 0
                                    : static_cast<uint32_t>(out_.code.size() - 1 - op);
  }
  for (const auto& [table, entry, block] : fix_tables_) {
    program_.branch_tables[static_cast<size_t>(table)][static_cast<size_t>(entry)] =
        static_cast<int32_t>(delta(table_op_.at(table), block));
  }
}

}  // namespace warpshop::emulator
