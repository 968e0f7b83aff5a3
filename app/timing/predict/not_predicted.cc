#include "predict/not_predicted.h"

#include <algorithm>
#include <set>
#include <vector>

#include "dependence.h"

namespace warpshop::timing {
namespace {

// Whether a path leads from a node back to it.
bool goes_round(const std::vector<std::vector<int>>& next, int from) {
  std::vector<bool> seen(next.size(), false);
  std::vector<int> todo = next[static_cast<size_t>(from)];
  while (!todo.empty()) {
    const int at = todo.back();
    todo.pop_back();
    if (at == from) return true;
    if (seen[static_cast<size_t>(at)]) continue;
    seen[static_cast<size_t>(at)] = true;
    const std::vector<int>& more = next[static_cast<size_t>(at)];
    todo.insert(todo.end(), more.begin(), more.end());
  }
  return false;
}

// The kernel and the functions that it may call, as indices into the module.
std::set<int> functions_of(const emulator::Program& program) {
  std::set<int> functions;
  for (const emulator::Program::BasicBlock& block : program.basic_blocks())
    functions.insert(block.function);
  return functions;
}

bool swaps_in_global_memory(const ptx::Instruction& i) {
  return i.opcode == "atom" && has_modifier(i, "cas") &&
         std::none_of(i.modifiers.begin(), i.modifiers.end(),
                      [](const std::string& m) { return m.starts_with("shared"); });
}

bool repeats_swaps(const ptx::Function& function) {
  const std::vector<StraightBlock> blocks = straight_blocks(function);
  std::vector<std::vector<int>> next;
  for (const StraightBlock& block : blocks) next.push_back(block.successors);
  for (size_t b = 0; b < blocks.size(); ++b) {
    const auto swaps = std::any_of(function.body.begin() + blocks[b].first,
                                   function.body.begin() + blocks[b].end, swaps_in_global_memory);
    if (swaps && goes_round(next, static_cast<int>(b))) return true;
  }
  return false;
}

bool recurses(const ptx::Module& module, const std::set<int>& functions) {
  std::vector<std::vector<int>> callees(module.functions.size());
  for (const int f : functions) {
    for (const ptx::Instruction& i : module.functions[static_cast<size_t>(f)].body) {
      if (i.opcode != "call") continue;
      for (const ptx::Operand& o : i.operands) {
        if (o.symbol.table == ptx::Symbol::Table::kFunction)
          callees[static_cast<size_t>(f)].push_back(o.symbol.index);
      }
    }
  }
  return std::any_of(functions.begin(), functions.end(),
                     [&](int f) { return goes_round(callees, f); });
}

}  // namespace

std::optional<Diagnostic> why_not_predicted(const emulator::Program& program) {
  const std::set<int> functions = functions_of(program);
  const ptx::Module& module = program.module();
  if (program.uses_heap()) {
    return make_error("predict",
                      sentence("cannot predict the time of a kernel that allocates memory"),
                      sentence("the device's heap serves one thread after another, which the model "
                               "leaves out: each allocation takes about a tenth of a microsecond"));
  }
  if (std::any_of(functions.begin(), functions.end(),
                  [&](int f) { return repeats_swaps(module.functions[static_cast<size_t>(f)]); })) {
    return make_error("predict",
                      sentence("cannot predict the time of a kernel that repeats atomicCAS on "
                               "global memory in a loop"),
                      sentence("how often depends on what all other blocks do at the same time, "
                               "and blocks are emulated one after the other: on an H100, 16,384 "
                               "threads that add to one word that way try 40 million times"));
  }
  if (recurses(module, functions)) {
    return make_error("predict",
                      sentence("cannot predict the time of a kernel with a recursive function"),
                      sentence("the registers that its calls save in local memory are missing in "
                               "the model: on an H100, a call takes hundreds of cycles"));
  }
  return std::nullopt;
}

}  // namespace warpshop::timing
