#include "analysis/cfg.h"

#include <algorithm>

#include "analysis/instructions.h"

namespace warpshop::emulator {
namespace {

// True if lanes may wait in it, exit, or go to one of many targets: its guard must become a branch.
bool needs_own_path(const ptx::Instruction& i) {
  static constexpr std::string_view kOpcodes[] = {"bar",  "barrier", "trap",  "brx",  "shfl",
                                                  "vote", "match",   "redux", "elect"};
  return is_call(i) ||
         std::find(std::begin(kOpcodes), std::end(kOpcodes), i.opcode) != std::end(kOpcodes);
}

std::vector<int> branch_target_labels(const ptx::Function& function, const ptx::Instruction& i) {
  std::vector<int> labels;
  if (i.opcode == "bra") {
    if (!i.operands.empty() && i.operands[0].kind == ptx::Operand::Kind::kLabel) {
      labels.push_back(i.operands[0].label_index);
    }
  } else if (i.opcode == "brx" && i.operands.size() == 2) {
    for (const ptx::TargetTable& table : function.branch_targets) {
      if (table.name == i.operands[1].text) labels = table.label_indices;
    }
  }
  return labels;
}

class PostDominators {
 public:
  explicit PostDominators(const ControlFlow& flow) : flow_(flow), exit_(flow.exit_block()) {
    number_blocks();
    solve();
  }
  int of(int block) const { return idom_[block] < 0 ? exit_ : idom_[block]; }

 private:
  // Post-order of the reversed graph from the exit. Blocks that never reach it (endless loops) have
  // no number: lanes that may go there do not keep the others from reconverging.
  void number_blocks() {
    const int count = exit_ + 1;
    predecessors_.assign(count, {});
    for (int b = 0; b < exit_; ++b) {
      for (int s : flow_.blocks[b].successors) predecessors_[s].push_back(b);
    }
    order_.assign(count, -1);
    visit(exit_);
  }

  void visit(int start) {
    std::vector<std::pair<int, size_t>> stack = {{start, 0}};
    order_[start] = 0;
    while (!stack.empty()) {
      auto& [block, next_child] = stack.back();
      if (next_child < predecessors_[block].size()) {
        const int child = predecessors_[block][next_child++];
        if (order_[child] < 0) {
          order_[child] = 0;
          stack.emplace_back(child, 0);
        }
      } else {
        order_[block] = next_++;
        sequence_.push_back(block);
        stack.pop_back();
      }
    }
  }

  int intersect(int a, int b) const {
    while (a != b) {
      while (order_[a] < order_[b]) a = idom_[a];
      while (order_[b] < order_[a]) b = idom_[b];
    }
    return a;
  }

  void solve() {
    idom_.assign(exit_ + 1, -1);
    idom_[exit_] = exit_;
    bool changed = true;
    while (changed) {
      changed = false;
      for (auto it = sequence_.rbegin(); it != sequence_.rend(); ++it) {
        const int block = *it;
        if (block == exit_) continue;
        int dom = -1;
        for (int s : flow_.blocks[block].successors) {
          if (idom_[s] < 0) continue;
          dom = dom < 0 ? s : intersect(s, dom);
        }
        if (dom >= 0 && dom != idom_[block]) {
          idom_[block] = dom;
          changed = true;
        }
      }
    }
  }

  const ControlFlow& flow_;
  int exit_;
  std::vector<std::vector<int>> predecessors_;
  std::vector<int> order_;     // post-order number in the reversed graph
  std::vector<int> sequence_;  // blocks by that number
  std::vector<int> idom_;
  int next_ = 1;
};

void split_into_items(const ptx::Function& function, ControlFlow& flow,
                      std::vector<int>& item_of_instruction) {
  const int count = static_cast<int>(function.body.size());
  item_of_instruction.assign(count + 1, 0);
  for (int i = 0; i < count; ++i) {
    const ptx::Instruction& instruction = function.body[i];
    item_of_instruction[i] = static_cast<int>(flow.items.size());
    const bool own_path = instruction.guard_register >= 0 && needs_own_path(instruction);
    if (own_path) flow.items.push_back({.instruction = i, .skip_branch = true});
    flow.items.push_back({.instruction = i, .unguarded = own_path});
  }
  item_of_instruction[count] = static_cast<int>(flow.items.size());
}

bool ends_block(const ptx::Function& function, const CodeItem& item) {
  if (item.skip_branch) return true;
  const ptx::Instruction& i = function.body[item.instruction];
  return is_branch(i) || ends_thread(i) || item.unguarded;
}

}  // namespace

bool is_branch(const ptx::Instruction& i) { return i.opcode == "bra" || i.opcode == "brx"; }

bool ends_thread(const ptx::Instruction& i) {
  return i.opcode == "ret" || i.opcode == "exit" || i.opcode == "trap";
}

bool is_call(const ptx::Instruction& i) { return i.opcode == "call"; }

ControlFlow build_control_flow(const ptx::Function& function) {
  ControlFlow flow;
  std::vector<int> item_of_instruction;
  split_into_items(function, flow, item_of_instruction);
  const int count = static_cast<int>(flow.items.size());

  std::vector<bool> leader(count + 1, false);
  leader[0] = true;
  for (const ptx::Label& label : function.labels) {
    if (label.position >= 0) leader[item_of_instruction[label.position]] = true;
  }
  for (int i = 0; i < count; ++i) {
    if (ends_block(function, flow.items[i])) leader[i + 1] = true;
  }

  flow.block_of_item.assign(count, 0);
  for (int i = 0; i < count; ++i) {
    if (leader[i]) {
      if (!flow.blocks.empty()) flow.blocks.back().end = i;
      BasicBlock block;
      block.first = i;
      block.end = count;
      flow.blocks.push_back(std::move(block));
    }
    flow.block_of_item[i] = static_cast<int>(flow.blocks.size()) - 1;
  }
  const int exit = flow.exit_block();
  auto block_at = [&](int item) { return item < count ? flow.block_of_item[item] : exit; };
  for (const ptx::Label& label : function.labels) {
    flow.block_of_label.push_back(
        label.position < 0 ? exit : block_at(item_of_instruction[label.position]));
  }

  for (BasicBlock& block : flow.blocks) {
    const CodeItem& last = flow.items[block.end - 1];
    const ptx::Instruction& i = function.body[last.instruction];
    bool falls_through = true;
    if (last.skip_branch) {
      block.successors.push_back(block_at(block.end + 1));
    } else if (is_branch(i)) {
      for (int label : branch_target_labels(function, i))
        block.successors.push_back(flow.block_of_label[label]);
      falls_through = i.guard_register >= 0 && i.opcode == "bra";
      if (has_modifier(i, "uni") && i.guard_register < 0) falls_through = false;
    } else if (ends_thread(i)) {
      block.successors.push_back(exit);
      falls_through = i.guard_register >= 0 && !last.unguarded;
    }
    if (falls_through) block.successors.push_back(block_at(block.end));
    std::sort(block.successors.begin(), block.successors.end());
    block.successors.erase(std::unique(block.successors.begin(), block.successors.end()),
                           block.successors.end());
  }

  // Lanes that can only exit need not wait for the others: `if (i >= n) return;` before a barrier
  // becomes a branch to a lone ret.
  auto only_leaves = [&](int b) {
    const BasicBlock& block = flow.blocks[b];
    const ptx::Instruction& i = function.body[flow.items[block.first].instruction];
    return block.end == block.first + 1 && (i.opcode == "ret" || i.opcode == "exit") &&
           i.guard_register < 0;
  };
  const PostDominators post(flow);
  for (int b = 0; b < exit; ++b) {
    const int point = post.of(b);
    flow.blocks[b].reconvergence = point != exit && only_leaves(point) ? exit : point;
    if (flow.blocks[b].successors.size() > 1 && flow.blocks[b].reconvergence != exit) {
      flow.blocks[point].is_reconvergence_point = true;
    }
  }
  return flow;
}

}  // namespace warpshop::emulator
