// A kernel decoded as a whole: its functions, stacks, and the memory that its sites may access.
#include "emulator/program.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <string>

#include "analysis/instructions.h"
#include "analysis/limits.h"
#include "analysis/names.h"
#include "analysis/provenance.h"
#include "backend/backend.h"
#include "checks/checked_again.h"
#include "decode/decoder.h"
#include "decode/locks.h"
#include "decode/polling.h"
#include "operations/control.h"
#include "state/decoded.h"

namespace warpshop::emulator {
namespace {

Result<int> find_kernel(const ptx::Module& module, std::string_view kernel) {
  std::string names;
  for (size_t n = 0; n < module.functions.size(); ++n) {
    const ptx::Function& f = module.functions[n];
    if (!f.is_entry) continue;
    if (f.name == kernel) return static_cast<int>(n);
    names += (names.empty() ? "" : ", ") + f.name;
  }
  return make_error(
      "missing-kernel", sentence("there is no kernel named \"{name}\"", {{"name", kernel}}),
      names.empty() ? sentence("the file defines no __global__ function")
                    : sentence("the file defines these kernels: {names}", {{"names", names}}));
}

void lay_out_params(DecodedProgram& program, const ptx::Function& kernel) {
  for (const ptx::Variable& v : kernel.params) {
    const uint64_t align = std::max<uint64_t>(v.align_bytes, 1);
    program.param_bytes = (program.param_bytes + align - 1) / align * align;
    program.params.push_back({v.name, program.param_bytes, v.size_bytes});
    program.param_bytes += v.size_bytes;
  }
}

// Stack of a recursive function; otherwise the deepest chain of calls determines it.
constexpr uint32_t kRecursionLocalBytes = 32 * 1024;
constexpr uint32_t kRecursionParamBytes = 16 * 1024;
// Part of each thread's local memory for alloca.
constexpr uint32_t kAllocaBytes = 32 * 1024;
// Depth to which calls are followed; a thread's stack is full long before (control::call).
constexpr int kDeepestCalls = 1000;

void measure_stacks(DecodedProgram& program, Diagnostics& problems) {
  struct Depth {
    uint64_t local = 0;
    uint64_t param = 0;
  };
  std::vector<int> state(program.functions.size(), 0);
  std::vector<Depth> depth(program.functions.size());
  bool recursive = false;
  int deep = 0;
  std::vector<std::vector<int>> callees(program.functions.size());
  for (size_t f = 0; f < program.functions.size(); ++f) {
    for (const MicroOp& op : program.functions[f].code) {
      if (op.run == control::call) callees[f].push_back(program.calls[op.imm].callee);
      if (op.run != control::call_indirect) continue;
      for (int site : program.calls[op.imm].sites) {
        if (site >= 0) callees[f].push_back(program.calls[static_cast<size_t>(site)].callee);
      }
    }
  }
  auto visit = [&](auto&& self, size_t f) -> Depth {
    if (state[f] == 1 || deep >= kDeepestCalls) recursive = true;
    if (state[f] != 0 || deep >= kDeepestCalls) return depth[f];
    state[f] = 1;
    ++deep;
    Depth deepest;
    for (int callee : callees[f]) {
      const Depth d = self(self, static_cast<size_t>(callee));
      deepest.local = std::max(deepest.local, d.local);
      deepest.param = std::max(deepest.param, d.param);
    }
    depth[f] = {deepest.local + program.functions[f].local_bytes,
                deepest.param + program.functions[f].param_bytes};
    state[f] = 2;
    --deep;
    return depth[f];
  };
  const Depth whole = visit(visit, 0);
  if (whole.local > kMostLocalBytes || whole.param > kMostFrameParamBytes) {
    problems.push_back(
        make_error("unsupported",
                   sentence("the kernel \"{kernel}\" and what it calls need {local} bytes of local "
                            "memory and {frames} bytes of call frames for a thread; at most "
                            "{most_local} and {most_frames} are possible",
                            {{"kernel", kernel_title(program.kernel)},
                             {"local", whole.local},
                             {"frames", whole.param},
                             {"most_local", kMostLocalBytes},
                             {"most_frames", kMostFrameParamBytes}}),
                   sentence("make the arrays inside its functions smaller")));
    return;
  }
  const auto local = static_cast<uint32_t>(whole.local);
  const auto param = static_cast<uint32_t>(whole.param);
  program.local_stride = recursive ? std::max(local, kRecursionLocalBytes) : local;
  program.param_stride = recursive ? std::max(param, kRecursionParamBytes) : param;
  if (program.alloca_base != 0) {
    program.alloca_base = std::max<uint32_t>(16, (program.local_stride + 15) / 16 * 16);
    program.local_stride = program.alloca_base + kAllocaBytes;
  }
}

// Determines the memory that a function's sites may access, from the origins of their addresses.
void find_bases(DecodedProgram& program, const SharedLayout& shared, int function_index) {
  const ptx::Module& module = *program.module;
  const ptx::Function& function = module.functions[static_cast<size_t>(function_index)];
  const std::vector<Origin> registers = register_origins(module, function);
  for (size_t s = 0; s < program.sites.size(); ++s) {
    AccessSite& site = program.sites[s];
    if (site.function != function_index) continue;
    const ptx::Instruction& i = function.body[static_cast<size_t>(site.instruction)];
    // cp.async reads at its second address; bulk copies count at their third.
    const bool copies = (i.opcode == "cp" || has_modifier(i, "async")) && i.operands.size() > 2;
    const size_t before = !copies                            ? 0
                          : site.kind == AccessKind::kLoad   ? 1
                          : site.kind == AccessKind::kAtomic ? 2
                                                             : 0;
    const ptx::Operand* address = address_operand(i, before);
    if (address == nullptr) continue;
    const Origin origin = origin_of_address(module, function, *address, registers);
    DecodedProgram::SiteBase& base = program.site_bases[s];
    if (origin.kind == Origin::Kind::kParam && function.is_entry) {
      base.params = origin.params;
      if (std::has_single_bit(origin.params)) site.param = std::countr_zero(origin.params);
    }
    if (origin.kind != Origin::Kind::kShared && origin.kind != Origin::Kind::kConst) continue;
    const bool local = origin.symbol.table == ptx::Symbol::Table::kLocalVariable;
    const auto n = static_cast<size_t>(origin.symbol.index);
    const ptx::Variable& v = local ? function.variables[n] : module.variables[n];
    if (origin.kind == Origin::Kind::kConst) {
      if (local || v.size_bytes == 0) continue;
      base.constant = true;
      base.offset = static_cast<uint32_t>(program.variables[n].offset);
      base.size_bytes = static_cast<uint32_t>(v.size_bytes);
      base.name = site.array = readable_name(v.name);
      continue;
    }
    const auto offset = shared.offset.find({local ? function_index : -1, origin.symbol.index});
    if (offset == shared.offset.end()) continue;
    base.one_array = true;
    base.offset = offset->second;
    base.size_bytes = v.is_extern || v.is_flexible ? 0 : static_cast<uint32_t>(v.size_bytes);
    base.name = site.array = readable_name(v.name);
  }
}

}  // namespace

Result<Program> Program::decode(const std::shared_ptr<const ptx::Module>& module,
                                std::string_view kernel) {
  const Result<int> index = find_kernel(*module, kernel);
  if (!index) return index.errors();
  auto program = std::make_shared<DecodedProgram>();
  program->module = module;
  program->kernel = kernel;
  const std::vector<int> reached = reached_functions(*module, *index);
  Diagnostics problems;
  for (int f : reached) {
    const Diagnostics& broken = module->functions[static_cast<size_t>(f)].problems;
    problems.insert(problems.end(), broken.begin(), broken.end());
  }
  check_sizes(*module, reached, problems);
  if (has_errors(problems)) return problems;
  lay_out_module(*program);
  lay_out_params(*program, module->functions[static_cast<size_t>(*index)]);
  const SharedLayout shared = lay_out_shared(*module, reached, *program);
  program->functions.resize(reached.size());
  for (size_t n = 0; n < reached.size(); ++n) program->functions[n].index = reached[n];
  program->may_have_locks = may_have_locks(*module, reached);
  program->may_order_blocks = may_order_blocks(*module, reached);
  for (int f : reached) FunctionDecoder(*program, shared, reached, f, problems).decode();
  if (has_errors(problems)) return problems;
  measure_stacks(*program, problems);
  if (has_errors(problems)) return problems;
  for (int f : reached) apply_backend_rules(*program, f);
  program->site_bases.resize(program->sites.size());
  for (int f : reached) find_bases(*program, shared, f);
  program->loads_beside_atomics = loads_beside_atomics(*program);
  find_polling(*program);
  if (program->may_have_locks) find_locks(*program);
  program->order_roles.resize(program->sites.size());
  Program result;
  result.decoded_ = std::move(program);
  return result;
}

const std::string& Program::kernel() const { return decoded_->kernel; }
const ptx::Module& Program::module() const { return *decoded_->module; }
const ptx::Function& Program::function() const { return *decoded_->functions[0].source; }
const std::vector<AccessSite>& Program::access_sites() const { return decoded_->sites; }
std::vector<Program::BasicBlock> Program::basic_blocks() const {
  std::vector<BasicBlock> blocks;
  for (const DecodedProgram::BlockOfInstructions& block : decoded_->block_instructions) {
    blocks.push_back({.function = decoded_->functions[static_cast<size_t>(block.function)].index,
                      .instructions = block.instructions});
  }
  return blocks;
}
bool Program::uses_heap() const { return decoded_->uses_heap; }
bool Program::order_may_matter() const {
  const auto may_read_or_store_what_others_do = [&](const AccessSite& site) {
    const ptx::Instruction& i = decoded_->module->functions[static_cast<size_t>(site.function)]
                                    .body[static_cast<size_t>(site.instruction)];
    return site.kind == AccessKind::kAtomic || is_strong(i);
  };
  return decoded_->orders_blocks || std::any_of(decoded_->sites.begin(), decoded_->sites.end(),
                                                may_read_or_store_what_others_do);
}
uint64_t Program::static_shared_bytes() const { return decoded_->static_shared_bytes; }
std::vector<Program::SharedArray> Program::shared_arrays() const {
  const DecodedProgram& program = *decoded_;
  std::vector<SharedArray> out;
  for (const DecodedProgram::SharedVariable& v : program.shared_variables)
    out.push_back({v.name, v.offset, v.size_bytes});
  const auto add_dynamic = [&](const std::vector<ptx::Variable>& variables,
                               const std::vector<uint64_t>& offsets) {
    for (size_t n = 0; n < variables.size() && n < offsets.size(); ++n) {
      const ptx::Variable& v = variables[n];
      if (v.space != ptx::Space::kShared || !(v.is_extern || v.is_flexible) ||
          offsets[n] == ~uint64_t{0})
        continue;
      const SharedArray array{readable_name(v.name), offsets[n], 0};
      if (std::find(out.begin(), out.end(), array) == out.end()) out.push_back(array);
    }
  };
  for (const auto& [function, offsets] : program.shared_offset_of_function) {
    add_dynamic(function < 0 ? program.module->variables
                             : program.module->functions[static_cast<size_t>(function)].variables,
                offsets);
  }
  return out;
}
std::vector<Program::SharedArray> Program::device_variables() const {
  std::vector<SharedArray> out;
  for (const DecodedProgram::GlobalVariable& v : decoded_->global_variables)
    out.push_back({v.name, kModuleGlobals + v.offset, v.size_bytes});
  return out;
}
const Program::SharedArray* Program::array_at(const std::vector<SharedArray>& arrays,
                                              uint64_t address) {
  const SharedArray* found = nullptr;
  for (const SharedArray& array : arrays) {
    if (array.offset_bytes > address) continue;
    if (array.size_bytes > 0 && address - array.offset_bytes >= array.size_bytes) continue;
    if (found == nullptr || found->offset_bytes <= array.offset_bytes) found = &array;
  }
  return found;
}
uint64_t Program::param_bytes() const { return decoded_->param_bytes; }
const std::vector<Program::Param>& Program::params() const { return decoded_->params; }

}  // namespace warpshop::emulator
