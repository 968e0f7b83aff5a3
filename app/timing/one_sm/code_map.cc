#include "one_sm/code_map.h"

#include <algorithm>
#include <map>
#include <set>

#include "issue_plan.h"
#include "models/atomic_loop.h"
#include "predict/texels.h"
#include "timing/issue.h"

namespace warpshop::timing {
namespace {

struct MachineBlock {
  int first = 0;
  int end = 0;
  int loop = -1;  // first instruction of the innermost enclosing loop; -1: none
  bool reached = false;
  bool retry = false;      // tests an mbarrier object again
  bool slow_path = false;  // calls a routine for special operands (subnormal divisors and the like)
};

bool ends_block(const MachineOp& op) {
  return op.kind == MachineKind::kBranch || op.kind == MachineKind::kExit ||
         op.kind == MachineKind::kCall;
}

// Memory and texture accesses, whose number is preserved: the back end drops none of them.
bool is_access(MachineKind kind) {
  return kind == MachineKind::kTexture || kind == MachineKind::kMbarrier ||
         kind == MachineKind::kBulkCopy ||
         (kind >= MachineKind::kGlobalLoad && kind <= MachineKind::kSharedAtomic);
}

bool is_load(MachineKind kind) {
  return kind == MachineKind::kGlobalLoad || kind == MachineKind::kSharedLoad;
}

bool is_atomic(emulator::AccessKind kind) {
  return kind == emulator::AccessKind::kAtomic || kind == emulator::AccessKind::kReduction;
}

// How strongly an instruction indicates its block's origin. Moves of constants do not, since they
// can go anywhere.
int weight_of(const MachineOp& op) {
  if (op.in_atomic_loop) return 0;
  switch (op.kind) {
    case MachineKind::kGlobalLoad:
    case MachineKind::kGlobalStore:
    case MachineKind::kGlobalAtomic:
    case MachineKind::kAsyncCopy:
    case MachineKind::kBulkCopy:
    case MachineKind::kSharedLoad:
    case MachineKind::kSharedStore:
    case MachineKind::kSharedAtomic:
    case MachineKind::kTexture:
    case MachineKind::kBarrier:
    case MachineKind::kShuffle:
      return 8;
    case MachineKind::kArithmetic:
      return op.pipe == MachinePipe::kFma || op.pipe == MachinePipe::kFp64 ||
                     op.pipe == MachinePipe::kXu || op.pipe == MachinePipe::kTensor
                 ? 4
             : op.pipe == MachinePipe::kNone || op.opcode == 0x002 || op.opcode == 0x082 ||
                     op.opcode == 0x0b9
                 ? 0
                 : 2;
    default:
      return 0;
  }
}

std::vector<MachineBlock> cut_blocks(const std::vector<MachineOp>& ops) {
  const int count = static_cast<int>(ops.size());
  std::set<int> leaders{0};
  for (int i = 0; i < count; ++i) {
    const MachineOp& op = ops[static_cast<size_t>(i)];
    if (ends_block(op) && i + 1 < count) leaders.insert(i + 1);
    if (op.target >= 0) leaders.insert(op.target);
  }
  std::vector<MachineBlock> blocks;
  for (auto it = leaders.begin(); it != leaders.end(); ++it) {
    const auto next = std::next(it);
    blocks.push_back({.first = *it, .end = next == leaders.end() ? count : *next});
  }
  return blocks;
}

size_t block_at(const std::vector<MachineBlock>& blocks, int instruction) {
  const auto after =
      std::upper_bound(blocks.begin(), blocks.end(), instruction,
                       [](int value, const MachineBlock& b) { return value < b.first; });
  return static_cast<size_t>(std::distance(blocks.begin(), after)) - 1;
}

// What the PTX says about its lines.
struct PtxLines {
  std::map<int, int> block;      // the basic block of each line
  std::set<int> calls;           // lines that call a function
  std::vector<bool> repeatable;  // by basic block: in a loop, or of a called function
};

PtxLines lines_of(const emulator::Program& program,
                  const std::vector<emulator::Program::BasicBlock>& blocks) {
  PtxLines lines;
  lines.repeatable.assign(blocks.size(), false);
  for (size_t b = 0; b < blocks.size(); ++b) {
    const ptx::Function& function =
        program.module().functions[static_cast<size_t>(blocks[b].function)];
    lines.repeatable[b] = !function.is_entry;
    for (const int i : blocks[b].instructions) {
      const ptx::Instruction& instruction = function.body[static_cast<size_t>(i)];
      lines.block.emplace(instruction.ptx_line, static_cast<int>(b));
      if (instruction.opcode == "call") lines.calls.insert(instruction.ptx_line);
      // The compiler writes a loop's instructions between its label and the branch back.
      for (const ptx::Operand& operand : instruction.operands) {
        if (operand.kind != ptx::Operand::Kind::kLabel) continue;
        const int to = function.labels[static_cast<size_t>(operand.label_index)].position;
        for (size_t inside = 0; to <= i && inside < blocks.size(); ++inside) {
          if (blocks[inside].function != blocks[b].function || blocks[inside].instructions.empty())
            continue;
          const int first = blocks[inside].instructions.front();
          if (first >= to && first <= i) lines.repeatable[inside] = true;
        }
      }
    }
  }
  return lines;
}

void find_reached(const std::vector<MachineOp>& ops, const PtxLines& lines,
                  std::vector<MachineBlock>& blocks) {
  std::vector<size_t> todo{0};
  while (!todo.empty()) {
    const size_t b = todo.back();
    todo.pop_back();
    if (b >= blocks.size() || blocks[b].reached) continue;
    blocks[b].reached = true;
    const MachineOp& last = ops[static_cast<size_t>(blocks[b].end - 1)];
    // A call that the PTX does not have is to a routine for special operands, which is not
    // followed.
    const bool routine = last.kind == MachineKind::kCall && !lines.calls.contains(last.ptx_line);
    if (last.target >= 0 && !routine) todo.push_back(block_at(blocks, last.target));
    const bool falls_through =
        (last.kind != MachineKind::kBranch && last.kind != MachineKind::kExit) || last.conditional;
    if (falls_through) todo.push_back(b + 1);
    blocks[b].slow_path = routine;
  }
}

// The branches that close the loop of an atomic (models/atomic_loop.h): of those backwards over it,
// the innermost. They are no loops of the program.
std::set<int> atomic_branches(const CodeMap& map, const std::vector<emulator::AccessSite>& sites) {
  std::set<int> branches;
  const int count = static_cast<int>(map.ops.size());
  for (int i = 0; i < count; ++i) {
    const MachineOp& op = map.ops[static_cast<size_t>(i)];
    const int site = map.site_of_op[static_cast<size_t>(i)];
    if (site < 0 || static_cast<size_t>(site) >= sites.size()) continue;
    const models::SharedAccess how = shared_access_of(sites[static_cast<size_t>(site)]);
    const bool loops =
        op.kind == MachineKind::kSharedAtomic
            ? models::is_atomic_loop(how)
            : op.kind == MachineKind::kGlobalAtomic && how == models::SharedAccess::kHalfwordLoop;
    for (int b = i + 1; loops && b < count; ++b) {
      const MachineOp& branch = map.ops[static_cast<size_t>(b)];
      if (branch.kind != MachineKind::kBranch || branch.target < 0 || branch.target > i) continue;
      branches.insert(b);
      break;
    }
  }
  return branches;
}

// The branches that repeat a copy in bulk for each active lane. Likewise no loops of the program.
std::set<int> copy_branches_of(const std::vector<MachineOp>& ops) {
  std::set<int> branches;
  constexpr int kNear = 8;
  const int count = static_cast<int>(ops.size());
  for (int i = 0; i < count; ++i) {
    if (ops[static_cast<size_t>(i)].kind != MachineKind::kBulkCopy) continue;
    for (int b = i + 1; b < std::min(count, i + kNear); ++b) {
      const MachineOp& branch = ops[static_cast<size_t>(b)];
      if (branch.kind == MachineKind::kBranch && branch.target >= 0 && branch.target <= i)
        branches.insert(b);
    }
  }
  return branches;
}

// A test of an mbarrier object's phase is often made once in passing and, if it fails, again in a
// loop of its own elsewhere. The simulated warp waits at the first.
void find_retries(const CodeMap& map, std::vector<MachineBlock>& blocks) {
  const auto test_in = [&](const MachineBlock& block) {
    for (int i = block.first; i < block.end; ++i) {
      const auto n = static_cast<size_t>(i);
      if (map.ops[n].kind == MachineKind::kMbarrier) return map.site_of_op[n];
    }
    return -1;
  };
  const auto repeats_itself = [&](const MachineBlock& block) {
    return map.ops[static_cast<size_t>(block.end - 1)].target == block.first;
  };
  std::set<int> in_passing;
  for (const MachineBlock& block : blocks) {
    if (!repeats_itself(block)) in_passing.insert(test_in(block));
  }
  for (MachineBlock& block : blocks) {
    block.retry =
        repeats_itself(block) && test_in(block) >= 0 && in_passing.contains(test_in(block));
  }
}

void find_loops(const std::vector<MachineOp>& ops, const std::set<int>& skipped,
                std::vector<MachineBlock>& blocks) {
  for (size_t i = 0; i < ops.size(); ++i) {
    const int from = static_cast<int>(i);
    const int to = ops[i].target;
    if (ops[i].kind != MachineKind::kBranch || to < 0 || to > from) continue;
    if (to == from) continue;  // the trap after a kernel's end
    if (skipped.contains(from)) continue;
    if (!blocks[block_at(blocks, from)].reached) continue;
    for (MachineBlock& b : blocks) {
      // inner loops start later
      if (b.first >= to && b.end <= from + 1) b.loop = std::max(b.loop, to);
    }
  }
}

using Signature = std::map<std::pair<int, int>, int>;  // (PTX line, opcode) → count

Signature signature_of(const std::vector<MachineOp>& ops, const MachineBlock& block,
                       const std::set<int>& lines) {
  Signature signature;
  for (int i = block.first; i < block.end; ++i) {
    const MachineOp& op = ops[static_cast<size_t>(i)];
    if (weight_of(op) < 2 || !lines.contains(op.ptx_line)) continue;
    ++signature[{op.ptx_line, weight_of(op) == 8 ? -1 : op.opcode}];
  }
  return signature;
}

// What a PTX line with accesses becomes: some are several machine instructions, such as the load of
// a matrix fragment.
struct AccessesOfLine {
  std::vector<int> sites;  // in order; what another access carries out is at that one's site
  int instructions = 0;
};
using LineAccesses = std::map<int, AccessesOfLine>;

LineAccesses accesses_of(const emulator::Program& program) {
  LineAccesses accesses;
  const std::vector<emulator::AccessSite>& sites = program.access_sites();
  for (size_t s = 0; s < sites.size(); ++s) {
    // The sites of a copy are one instruction: that of its first site.
    if (is_copy_target(sites[s]) || is_copy_object(sites[s])) continue;
    AccessesOfLine& line = accesses[sites[s].ptx_line];
    line.sites.push_back(sites[s].leader >= 0 ? sites[s].leader : static_cast<int>(s));
    line.instructions += plan_of(sites[s]).count;
  }
  const FetchSites fetches(program);
  for (size_t n = 0; n < fetches.size(); ++n) {
    AccessesOfLine& line = accesses[fetches.ptx_line(n)];
    line.sites.push_back(fetches.number(n));
    ++line.instructions;
  }
  return accesses;
}

// How many copies of the PTX block a machine block contains, judged by its memory instructions, or
// else by the median over its lines. An instruction can become several of one opcode (a division is
// a chain of multiply-adds), so of a line's opcodes the rarest counts.
int copies_in(const Signature& signature, const LineAccesses& accesses) {
  int memory = 0;
  std::map<int, int> of_line;
  for (const auto& [key, count] : signature) {
    if (key.second == -1) {
      const auto found = accesses.find(key.first);
      const int each = found == accesses.end() ? 1 : std::max(1, found->second.instructions);
      memory = std::max(memory, (count + each - 1) / each);
    } else {
      int& rarest = of_line.emplace(key.first, count).first->second;
      rarest = std::min(rarest, count);
    }
  }
  if (memory > 0) return memory;
  if (of_line.empty()) return 1;
  std::vector<int> rest;
  for (const auto& [line, count] : of_line) rest.push_back(count);
  std::sort(rest.begin(), rest.end());
  return rest[rest.size() / 2];
}

// Accesses, and products of warpgroups, which read shared memory themselves.
bool touches_memory(const std::vector<MachineOp>& ops, const CodePiece& piece) {
  return std::any_of(piece.ranges.begin(), piece.ranges.end(), [&](const auto& range) {
    return std::any_of(ops.begin() + range.first, ops.begin() + range.second,
                       [](const MachineOp& op) {
                         return is_access(op.kind) || op.kind == MachineKind::kWarpgroupProduct;
                       });
  });
}

// Between the parts of an unrolled loop there are comparisons that carry the loop's own line. If a
// block touches memory, pieces that do not are no copies of it.
void drop_glue(const std::vector<MachineOp>& ops, std::vector<CodePiece>& pieces) {
  const auto touches = [&](const CodePiece& piece) { return touches_memory(ops, piece); };
  if (std::none_of(pieces.begin(), pieces.end(), touches)) return;
  std::erase_if(pieces, [&](const CodePiece& piece) { return !touches(piece); });
}

// SYNCS with a result: whether a phase is complete.
bool is_test(const MachineOp& op) {
  return op.kind == MachineKind::kMbarrier && op.write_barrier < 6;
}

// Of a loop that tests a phase until it is complete, the back end makes the first test in passing
// and attributes it to the line before the loop, which computes the object's address. Returns the
// next line with accesses if it has such a test.
LineAccesses::const_iterator next_test(const LineAccesses& accesses,
                                       const std::vector<emulator::AccessSite>& sites, int line) {
  const auto next = accesses.upper_bound(line);
  if (next == accesses.end() || next->second.sites.empty()) return accesses.end();
  const auto site = static_cast<size_t>(next->second.sites.front());
  const bool tests = site < sites.size() && barrier_role(sites[site]) == BarrierRole::kTests;
  return tests ? next : accesses.end();
}

}  // namespace

CodeMap map_code(const emulator::Program& program, const std::vector<MachineInstruction>& code,
                 models::ComputeCapability capability, double tensor_f32_pct) {
  CodeMap map;
  map.ops = decode_machine_code(code, capability, tensor_f32_pct);
  const std::vector<emulator::Program::BasicBlock> ptx_blocks = program.basic_blocks();
  map.pieces.resize(ptx_blocks.size() + 1);
  map.site_of_op.assign(map.ops.size(), -1);
  map.target_of_op = map.site_of_op;
  if (map.ops.empty()) return map;

  const PtxLines lines = lines_of(program, ptx_blocks);
  std::vector<std::set<int>> lines_of_block(ptx_blocks.size());
  for (const auto& [line, block] : lines.block)
    lines_of_block[static_cast<size_t>(block)].insert(line);
  const std::vector<emulator::AccessSite>& sites = program.access_sites();
  const LineAccesses accesses = accesses_of(program);
  std::map<int, size_t> seen;  // machine instructions of the line so far
  for (size_t i = 0; i < map.ops.size(); ++i) {
    const MachineKind kind = map.ops[i].kind;
    if (!is_access(kind)) continue;
    auto found = accesses.find(map.ops[i].ptx_line);
    if (found == accesses.end() && is_test(map.ops[i]))
      found = next_test(accesses, sites, map.ops[i].ptx_line);
    if (found == accesses.end()) continue;
    const std::vector<int>& of_line = found->second.sites;
    map.site_of_op[i] = of_line[seen[found->first]++ % of_line.size()];
    const auto site = static_cast<size_t>(map.site_of_op[i]);
    if (kind == MachineKind::kAsyncCopy && site + 1 < sites.size() &&
        is_copy_target(sites[site + 1]))
      map.target_of_op[i] = map.site_of_op[i] + 1;
    map.ops[i].in_atomic_loop = site < sites.size() && is_load(kind) && is_atomic(sites[site].kind);
  }

  std::vector<MachineBlock> blocks = cut_blocks(map.ops);
  find_reached(map.ops, lines, blocks);
  std::set<int> no_loops = atomic_branches(map, sites);
  const std::set<int> copy_branches = copy_branches_of(map.ops);
  no_loops.insert(copy_branches.begin(), copy_branches.end());
  find_loops(map.ops, no_loops, blocks);
  find_retries(map, blocks);
  // The PTX block of each machine block; a block without lines of its own joins the previous one.
  std::vector<std::vector<size_t>> machine_blocks(ptx_blocks.size());
  int previous = 0;
  for (size_t b = 0; b < blocks.size(); ++b) {
    if (!blocks[b].reached || blocks[b].slow_path || blocks[b].retry) continue;
    std::map<int, int> votes;
    std::map<int, int> weak_votes;
    for (int i = blocks[b].first; i < blocks[b].end; ++i) {
      const MachineOp& op = map.ops[static_cast<size_t>(i)];
      const auto found = lines.block.find(op.ptx_line);
      if (found == lines.block.end()) continue;
      // Predicated instructions come from a short arm that the back end merged into this block.
      if (weight_of(op) > 0 && !op.conditional) votes[found->second] += weight_of(op);
      ++weak_votes[found->second];
    }
    if (votes.empty()) votes = weak_votes;
    for (const auto& [ptx_block, count] : votes) {
      if (!votes.contains(previous) || count > votes[previous]) previous = ptx_block;
    }
    machine_blocks[static_cast<size_t>(previous)].push_back(b);
  }
  for (size_t p = 0; p < ptx_blocks.size(); ++p) {
    std::vector<CodePiece>& pieces = map.pieces[p];
    Signature open;
    int open_loop = -2;
    for (size_t b : machine_blocks[p]) {
      const Signature own = signature_of(map.ops, blocks[b], lines_of_block[p]);
      const bool repeats = std::any_of(
          own.begin(), own.end(), [&](const auto& entry) { return open.contains(entry.first); });
      // Code that runs once is one piece, however many blocks its instructions became. So is what
      // continues after a routine for special operands.
      const bool continues =
          (b > 0 && blocks[b - 1].slow_path) || copy_branches.contains(blocks[b].end - 1);
      if (pieces.empty() ||
          (lines.repeatable[p] && !continues &&
           (repeats || (blocks[b].loop != open_loop && !own.empty() && !open.empty())))) {
        pieces.push_back({.ranges = {}, .in_loop = blocks[b].loop >= 0});
        open.clear();
        open_loop = blocks[b].loop;
      }
      for (const auto& [key, count] : own) open[key] += count;
      pieces.back().ranges.emplace_back(blocks[b].first, blocks[b].end);
      pieces.back().copies = lines.repeatable[p] ? std::max(1, copies_in(open, accesses)) : 1;
    }
    drop_glue(map.ops, pieces);
    std::stable_sort(pieces.begin(), pieces.end(), [](const CodePiece& a, const CodePiece& b) {
      return a.copies != b.copies ? a.copies > b.copies : a.in_loop > b.in_loop;
    });
  }
  return map;
}

size_t CodeWalker::choose(const std::vector<CodePiece>& pieces, int64_t need, uint32_t& turn) {
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].copies > need) continue;
    if (pieces[i].in_loop) return i;
    // Straight-line code: pieces with the same number of copies are consecutive iterations.
    size_t end = i;
    while (end < pieces.size() && pieces[end].copies == pieces[i].copies && !pieces[end].in_loop)
      ++end;
    return i + turn++ % (end - i);
  }
  return pieces.size() - 1;
}

}  // namespace warpshop::timing
