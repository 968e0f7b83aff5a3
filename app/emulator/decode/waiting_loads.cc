#include "decode/waiting_loads.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "analysis/cfg.h"
#include "ptx/operand_registers.h"
#include "state/decoded.h"

namespace warpshop::emulator {
namespace {

using Blocks = std::vector<bool>;  // of a function

// A function's blocks with the edges between them in both directions.
struct Graph {
  explicit Graph(const ControlFlow& flow) : next(flow.blocks.size()), previous(flow.blocks.size()) {
    for (size_t b = 0; b < next.size(); ++b) {
      for (const int to : flow.blocks[b].successors) {
        if (to == flow.exit_block()) continue;
        next[b].push_back(static_cast<size_t>(to));
        previous[static_cast<size_t>(to)].push_back(b);
      }
    }
  }
  using Edges = std::vector<std::vector<size_t>>;
  // The blocks that are reached from this one by at least one edge.
  static Blocks reached(const Edges& edges, size_t block) {
    Blocks out(edges.size(), false);
    std::vector<size_t> due = {block};
    while (!due.empty()) {
      const size_t at = due.back();
      due.pop_back();
      for (const size_t to : edges[at]) {
        if (out[to]) continue;
        out[to] = true;
        due.push_back(to);
      }
    }
    return out;
  }
  // The outermost loop around a block: all blocks that it reaches and that reach it.
  Blocks loop_around(size_t block) const {
    Blocks loop = reached(next, block);
    const Blocks back = reached(previous, block);
    for (size_t b = 0; b < loop.size(); ++b) loop[b] = loop[b] && back[b];
    return loop;
  }
  Edges next, previous;
};

// What depends on a value inside a loop: registers, and the blocks that are run or not because of
// it.
class Dependents {
 public:
  Dependents(const ptx::Function& function, const ControlFlow& flow, const Graph& graph,
             const Blocks& loop)
      : function_(function),
        flow_(flow),
        graph_(graph),
        loop_(loop),
        registers_(function.registers.size(), false),
        blocks_(flow.blocks.size(), false) {}

  // True if whether the loop goes on depends on what this load reads.
  bool end_the_loop(const ptx::Instruction& load) {
    for (const int r : ptx::written_registers(load)) registers_[static_cast<size_t>(r)] = true;
    do {
      changed_ = false;
      for (size_t b = 0; b < loop_.size(); ++b)
        if (loop_[b] && ends_here(b)) return true;
    } while (changed_);
    return false;
  }

 private:
  // Takes what the block's instructions do into account. True if it leaves the loop or not by the
  // value.
  bool ends_here(size_t b) {
    const BasicBlock& block = flow_.blocks[b];
    bool decides = blocks_[b];  // who comes next
    for (int n = block.first; n < block.end; ++n) {
      const CodeItem& item = flow_.items[static_cast<size_t>(n)];
      const ptx::Instruction& i = function_.body[static_cast<size_t>(item.instruction)];
      bool depends = false;
      ptx::each_read(i, [&](size_t r) { depends = depends || registers_[r]; });
      decides = decides || (depends && (item.skip_branch || is_branch(i) || ends_thread(i)));
      if (!depends && !blocks_[b]) continue;
      for (const int r : ptx::written_registers(i)) mark(registers_, static_cast<size_t>(r));
    }
    if (!decides) return false;
    for (const int next : block.successors) {
      if (next == flow_.exit_block() || !loop_[static_cast<size_t>(next)]) return true;
      // Where other ways join, the value does not decide.
      if (graph_.previous[static_cast<size_t>(next)].size() == 1)
        mark(blocks_, static_cast<size_t>(next));
    }
    return false;
  }

  void mark(std::vector<bool>& marks, size_t n) {
    if (marks[n]) return;
    marks[n] = changed_ = true;
  }

  const ptx::Function& function_;
  const ControlFlow& flow_;
  const Graph& graph_;
  const Blocks& loop_;
  std::vector<bool> registers_;
  Blocks blocks_;
  bool changed_ = false;
};

// What waiting_loads() looks at in one function.
struct Body {
  explicit Body(const ptx::Function& function)
      : source(function), flow(build_control_flow(function)), graph(flow) {}
  const ptx::Function& source;
  ControlFlow flow;
  Graph graph;
  bool called_in_loop = false;
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
          (body.called_in_loop || body.graph.loop_around(b)[b]))
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

bool waits_for(const Body& body, int instruction) {
  if (body.called_in_loop) return true;
  for (size_t b = 0; b < body.flow.blocks.size(); ++b) {
    const BasicBlock& block = body.flow.blocks[b];
    for (int n = block.first; n < block.end; ++n) {
      const CodeItem& item = body.flow.items[static_cast<size_t>(n)];
      if (item.instruction != instruction || item.skip_branch) continue;
      const Blocks loop = body.graph.loop_around(b);
      return loop[b] && Dependents(body.source, body.flow, body.graph, loop)
                            .end_the_loop(body.source.body[static_cast<size_t>(instruction)]);
    }
  }
  return false;
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
    const Body& body = bodies[static_cast<size_t>(block.function)];
    for (const int i : block.instructions) {
      if (body.source.body[static_cast<size_t>(i)].opcode == "ld" && waits_for(body, i))
        out.emplace(program.functions[static_cast<size_t>(block.function)].index, i);
    }
  }
  return out;
}

}  // namespace warpshop::emulator
