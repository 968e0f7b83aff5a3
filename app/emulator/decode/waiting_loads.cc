#include "decode/waiting_loads.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "analysis/cfg.h"
#include "analysis/cycles.h"
#include "ptx/operand_registers.h"
#include "state/decoded.h"

namespace warpshop::emulator {
namespace {

// What waiting_loads() looks at in one function.
struct Body {
  explicit Body(const ptx::Function& function)
      : source(function),
        flow(build_control_flow(function)),
        cycles(flow),
        ways_in(flow.blocks.size() + 1, 0) {
    for (const BasicBlock& block : flow.blocks)
      for (const int next : block.successors) ++ways_in[static_cast<size_t>(next)];
  }
  const ptx::Function& source;
  ControlFlow flow;
  Cycles cycles;
  std::vector<int> ways_in;  // by block: edges to it
  bool called_in_loop = false;
};

// What depends on a value inside the loop around a block: registers, and the blocks that are run or
// not because of it.
class Dependents {
 public:
  Dependents(const Body& body, size_t block)
      : body_(body),
        loop_(body.cycles.of(block)),
        registers_(body.source.registers.size(), false),
        blocks_(body.flow.blocks.size(), false) {}

  // True if whether the loop goes on depends on what this load reads.
  bool end_the_loop(const ptx::Instruction& load) {
    for (const int r : ptx::written_registers(load)) registers_[static_cast<size_t>(r)] = true;
    do {
      changed_ = false;
      for (size_t b = 0; b < blocks_.size(); ++b)
        if (body_.cycles.of(b) == loop_ && ends_here(b)) return true;
    } while (changed_);
    return false;
  }

 private:
  // Takes what the block's instructions do into account. True if it leaves the loop or not by the
  // value.
  bool ends_here(size_t b) {
    const BasicBlock& block = body_.flow.blocks[b];
    bool decides = blocks_[b];  // who comes next
    for (int n = block.first; n < block.end; ++n) {
      const CodeItem& item = body_.flow.items[static_cast<size_t>(n)];
      const ptx::Instruction& i = body_.source.body[static_cast<size_t>(item.instruction)];
      bool depends = false;
      ptx::each_read(i, [&](size_t r) { depends = depends || registers_[r]; });
      decides = decides || (depends && (item.skip_branch || is_branch(i) || ends_thread(i)));
      if (!depends && !blocks_[b]) continue;
      for (const int r : ptx::written_registers(i)) mark(registers_, static_cast<size_t>(r));
    }
    if (!decides) return false;
    for (const int next : block.successors) {
      const auto n = static_cast<size_t>(next);
      if (next == body_.flow.exit_block() || body_.cycles.of(n) != loop_) return true;
      // Where other ways join, the value does not decide.
      if (body_.ways_in[n] == 1) mark(blocks_, n);
    }
    return false;
  }

  void mark(std::vector<bool>& marks, size_t n) {
    if (marks[n]) return;
    marks[n] = changed_ = true;
  }

  const Body& body_;
  int loop_;
  std::vector<bool> registers_;
  std::vector<bool> blocks_;
  bool changed_ = false;
};

// True for indirect calls of any function.
bool may_call(const ptx::Instruction& i, int function) {
  if (!is_call(i)) return false;
  const auto names = [&](bool any) {
    return std::any_of(i.operands.begin(), i.operands.end(), [&](const ptx::Operand& o) {
      return o.symbol.table == ptx::Symbol::Table::kFunction && (any || o.symbol.index == function);
    });
  };
  return names(false) || !names(true);
}

// True if the function is called in a loop of `body`, or by a body that is itself.
bool calls_in_loop(const Body& body, int function) {
  for (size_t b = 0; b < body.flow.blocks.size(); ++b) {
    const BasicBlock& block = body.flow.blocks[b];
    for (int n = block.first; n < block.end; ++n) {
      const int i = body.flow.items[static_cast<size_t>(n)].instruction;
      if (may_call(body.source.body[static_cast<size_t>(i)], function) &&
          (body.called_in_loop || body.cycles.is_in_loop(b)))
        return true;
    }
  }
  return false;
}

void find_called_in_loops(const DecodedProgram& program, std::vector<Body>& bodies) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t f = 1; f < bodies.size(); ++f) {
      if (bodies[f].called_in_loop) continue;
      bodies[f].called_in_loop = std::any_of(bodies.begin(), bodies.end(), [&](const Body& body) {
        return calls_in_loop(body, program.functions[f].index);
      });
      changed = changed || bodies[f].called_in_loop;
    }
  }
}

// `block`: that the load is in.
bool waits_for(const Body& body, size_t block, const ptx::Instruction& load) {
  return body.called_in_loop ||
         (body.cycles.is_in_loop(block) && Dependents(body, block).end_the_loop(load));
}

}  // namespace

std::set<std::pair<int, int>> waiting_loads(const DecodedProgram& program) {
  std::set<std::pair<int, int>> out;
  std::vector<Body> bodies;
  for (size_t b = 0; b < program.block_instructions.size(); ++b) {
    if (!program.polling[b].polls || program.polling[b].changes) continue;
    if (bodies.empty()) {
      for (const DecodedFunction& function : program.functions)
        bodies.emplace_back(*function.source);
      find_called_in_loops(program, bodies);
    }
    const DecodedProgram::BlockOfInstructions& block = program.block_instructions[b];
    const auto f = static_cast<size_t>(block.function);
    const size_t of_function = b - static_cast<size_t>(program.functions[f].first_block);
    for (const int i : block.instructions) {
      const ptx::Instruction& load = bodies[f].source.body[static_cast<size_t>(i)];
      if (load.opcode == "ld" && waits_for(bodies[f], of_function, load))
        out.emplace(program.functions[f].index, i);
    }
  }
  return out;
}

}  // namespace warpshop::emulator
