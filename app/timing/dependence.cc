#include "dependence.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "ptx/operand_registers.h"

namespace warpshop::timing {
namespace {

using ptx::Instruction;

bool ends_block(const Instruction& i) {
  return i.opcode == "bra" || i.opcode == "brx" || i.opcode == "ret" || i.opcode == "exit" ||
         i.opcode == "trap";
}

std::vector<int> target_labels(const ptx::Function& function, const Instruction& i) {
  std::vector<int> labels;
  if (i.opcode == "bra" && !i.operands.empty() && i.operands[0].label_index >= 0) {
    labels.push_back(i.operands[0].label_index);
  } else if (i.opcode == "brx" && i.operands.size() == 2) {
    for (const ptx::TargetTable& table : function.branch_targets) {
      if (table.name == i.operands[1].text) labels = table.label_indices;
    }
  }
  return labels;
}

constexpr int kLongestArm = 19;

bool can_be_predicated(const ptx::Function& function, const StraightBlock& arm) {
  static const std::set<std::string_view> kCannot = {"bar", "barrier", "call", "bra",
                                                     "brx", "ret",     "exit", "trap"};
  if (arm.end - arm.first > kLongestArm) return false;
  for (int n = arm.first; n < arm.end; ++n) {
    if (kCannot.contains(function.body[static_cast<size_t>(n)].opcode)) return false;
  }
  return true;
}

// Basic blocks before arms are merged, in body order.
std::vector<StraightBlock> plain_blocks(const ptx::Function& function) {
  const int size = static_cast<int>(function.body.size());
  std::set<int> starts = {0};
  for (const ptx::Label& label : function.labels) starts.insert(label.position);
  for (int i = 0; i < size; ++i) {
    if (ends_block(function.body[static_cast<size_t>(i)])) starts.insert(i + 1);
  }
  std::vector<StraightBlock> blocks;
  std::map<int, int> block_at;  // by first instruction
  for (auto start = starts.begin(); start != starts.end(); ++start) {
    if (*start < 0 || *start >= size) continue;
    const auto next = std::next(start);
    block_at[*start] = static_cast<int>(blocks.size());
    StraightBlock block;
    block.first = *start;
    block.end = next == starts.end() ? size : std::min(*next, size);
    block.arm_branch.assign(static_cast<size_t>(block.end - block.first), -1);
    blocks.push_back(std::move(block));
  }
  for (StraightBlock& block : blocks) {
    const Instruction& last = function.body[static_cast<size_t>(block.end - 1)];
    for (int label : target_labels(function, last)) {
      const auto target = block_at.find(function.labels[static_cast<size_t>(label)].position);
      if (target != block_at.end()) block.successors.push_back(target->second);
    }
    const bool goes_on = !ends_block(last) || last.guard_register >= 0;
    const auto next = block_at.find(block.end);
    if (goes_on && next != block_at.end()) block.successors.push_back(next->second);
  }
  return blocks;
}

}  // namespace

std::vector<StraightBlock> straight_blocks(const ptx::Function& function) {
  const std::vector<StraightBlock> plain = plain_blocks(function);
  std::vector<int> ways_in(plain.size(), 0);
  for (const StraightBlock& block : plain) {
    for (int next : block.successors) ++ways_in[static_cast<size_t>(next)];
  }
  std::vector<StraightBlock> blocks;
  std::vector<int> now_in(plain.size());  // plain block → merged block
  for (size_t b = 0; b < plain.size(); ++b) {
    StraightBlock block = plain[b];
    now_in[b] = static_cast<int>(blocks.size());
    // Merges `@p bra after; arm; after:`, repeatedly.
    while (b + 1 < plain.size()) {
      const int arm = static_cast<int>(b) + 1, after = arm + 1;
      const StraightBlock& between = plain[b + 1];
      const bool around = block.successors == std::vector<int>{after, arm} &&
                          between.successors == std::vector<int>{after};
      if (!around || ways_in[b + 1] != 1 || !can_be_predicated(function, between)) break;
      block.arm_branch.insert(block.arm_branch.end(), between.arm_branch.size(), block.end - 1);
      block.end = between.end;
      block.successors = between.successors;
      now_in[++b] = static_cast<int>(blocks.size());
      if (b + 1 >= plain.size() || ways_in[b + 1] != 2) break;
      const StraightBlock& rest = plain[b + 1];
      block.arm_branch.insert(block.arm_branch.end(), rest.arm_branch.size(), -1);
      block.end = rest.end;
      block.successors = rest.successors;
      now_in[++b] = static_cast<int>(blocks.size());
    }
    blocks.push_back(std::move(block));
  }
  for (StraightBlock& block : blocks) {
    for (int& next : block.successors) next = now_in[static_cast<size_t>(next)];
  }
  return blocks;
}

BlockValues values_of(const ptx::Function& function, const StraightBlock& block) {
  BlockValues values;
  values.last_writer.assign(function.registers.size(), -1);
  for (int n = block.first; n < block.end; ++n) {
    const Instruction& i = function.body[static_cast<size_t>(n)];
    const std::vector<int> written = ptx::written_registers(i);
    std::vector<int> read = ptx::read_registers(i);
    // The old value remains if the guard is false.
    if (i.guard_register >= 0) read.insert(read.end(), written.begin(), written.end());
    std::vector<Need> needs;
    const int branch = block.arm_branch[static_cast<size_t>(n - block.first)];
    if (branch >= 0) {
      needs = values.needs[static_cast<size_t>(branch - block.first)];
      read.insert(read.end(), written.begin(), written.end());
    }
    for (int reg : read) needs.push_back({values.last_writer[static_cast<size_t>(reg)], reg});
    values.needs.push_back(std::move(needs));
    for (int reg : written) values.last_writer[static_cast<size_t>(reg)] = n;
  }
  return values;
}

}  // namespace warpshop::timing
