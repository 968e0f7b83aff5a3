#include "timing/instruction_counts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "dependence.h"
#include "load_waits.h"
#include "ptx/instructions.h"

namespace warpshop::timing {
namespace {

using ptx::Instruction;

// Copies between registers and from parameters, which the back end usually removes. Branches inside
// a straight block skip an arm that becomes predicated, so they disappear as well.
bool is_free_copy(const Instruction& i) {
  return i.opcode == "mov" || i.opcode == "cvta" ||
         (i.opcode == "ld" && !i.modifiers.empty() && i.modifiers[0] == "param");
}

// cp.async and cp.async.bulk, but not the commits and waits that belong to them.
bool is_async_copy(const Instruction& i) {
  if (i.opcode != "cp" || i.modifiers.empty() || i.modifiers[0] != "async") return false;
  return std::none_of(i.modifiers.begin(), i.modifiers.end(), [](const std::string& modifier) {
    return modifier.starts_with("commit_group") || modifier.starts_with("wait_") ||
           modifier == "arrive" || modifier == "prefetch";
  });
}

// cp.async.wait_all, cp.async.wait_group, cp.async.bulk.wait_group, mbarrier.test_wait, .try_wait
bool is_copy_wait(const Instruction& i) {
  const auto with = [&i](std::string_view begin) {
    return std::any_of(i.modifiers.begin(), i.modifiers.end(),
                       [begin](const std::string& m) { return m.starts_with(begin); });
  };
  if (i.opcode == "mbarrier") return with("test_wait") || with("try_wait");
  return i.opcode == "cp" && with("async") && with("wait_");
}

bool is_matrix_product(const Instruction& i) {
  const bool with_mma =
      !i.modifiers.empty() && (i.modifiers[0] == "mma" || i.modifiers[0] == "mma_async");
  return i.opcode == "mma" || ((i.opcode == "wmma" || i.opcode == "wgmma") && with_mma);
}

bool is_vote(const Instruction& i) {
  return i.opcode == "vote" || i.opcode == "match" || i.opcode == "redux" ||
         i.opcode == "activemask" || i.opcode == "elect";
}

uint64_t InstructionCounts::*field_of(const Instruction& i) {
  if (i.opcode == "shfl") return &InstructionCounts::shuffle_instructions;
  if (is_vote(i)) return &InstructionCounts::vote_instructions;
  if (is_matrix_product(i)) return &InstructionCounts::tensor_instructions;
  if (is_async_copy(i)) return &InstructionCounts::async_copy_instructions;
  if (is_copy_wait(i)) return &InstructionCounts::copy_waits;
  if (i.opcode == "bra" || i.opcode == "brx") return &InstructionCounts::branch_instructions;
  if (i.opcode == "bar" || i.opcode == "barrier") {
    // bar.warp.sync joins the lanes of a warp alone.
    const bool of_warp = !i.modifiers.empty() && i.modifiers[0] == "warp";
    return of_warp ? nullptr : &InstructionCounts::barrier_instructions;
  }
  if (i.opcode == "mbarrier") {
    const bool arrives = !i.modifiers.empty() && i.modifiers[0].starts_with("arrive");
    return arrives ? &InstructionCounts::mbarrier_arrivals : nullptr;
  }
  if (i.opcode == "cvt") return &InstructionCounts::conversion_instructions;
  if (is_free_copy(i)) return nullptr;
  std::string form = i.opcode;
  for (const std::string& modifier : i.modifiers) form += '.' + modifier;
  const ptx::InstructionRow* row = ptx::find_row(form);
  if (row == nullptr) return nullptr;
  switch (row->pipe) {
    case ptx::Pipe::kAlu:
      return &InstructionCounts::alu_instructions;
    case ptx::Pipe::kFma:
      return &InstructionCounts::fma_instructions;
    case ptx::Pipe::kFp64:
      return &InstructionCounts::fp64_instructions;
    case ptx::Pipe::kXu:
      return &InstructionCounts::special_instructions;
    case ptx::Pipe::kSoftware:
      return &InstructionCounts::software_instructions;
    case ptx::Pipe::kTex:
      return &InstructionCounts::texture_instructions;
    case ptx::Pipe::kHalf:
    case ptx::Pipe::kLsu:
    case ptx::Pipe::kTensor:
    case ptx::Pipe::kBranch:
      break;
  }
  return nullptr;
}

// Memory through which a value may reach a later instruction unseen by registers, as bits. Ordinary
// accesses to global memory are left out: most loads there read what the kernel does not write.
unsigned ways_through_memory(const Instruction& i) {
  constexpr unsigned kShared = 1, kLocal = 2, kGlobal = 4;
  static constexpr std::string_view kAccesses[] = {"ld",  "st",       "atom",
                                                   "red", "ldmatrix", "stmatrix"};
  if (std::find(std::begin(kAccesses), std::end(kAccesses), i.opcode) == std::end(kAccesses))
    return 0;
  if (has_modifier(i, "param") || has_modifier(i, "const") || has_modifier(i, "nc")) return 0;
  if (has_modifier(i, "local")) return kLocal;
  const auto begins = [&i](std::string_view word) {
    return std::any_of(i.modifiers.begin(), i.modifiers.end(),
                       [word](const std::string& m) { return m.starts_with(word); });
  };
  if (begins("shared")) return kShared;
  const bool strong = i.opcode == "atom" || i.opcode == "red" || has_modifier(i, "volatile") ||
                      has_modifier(i, "relaxed") || has_modifier(i, "acquire") ||
                      has_modifier(i, "release");
  const unsigned global = strong ? kGlobal : 0;
  return has_modifier(i, "global") ? global : kShared | kLocal | global;  // a generic address
}

// The longest dependency chain of the block.
uint64_t chain_of(const ptx::Function& function, const StraightBlock& block) {
  const BlockValues values = values_of(function, block);
  std::vector<uint64_t> length(static_cast<size_t>(block.end - block.first), 0);
  uint64_t longest = 0;
  std::array<uint64_t, 3> stored{};  // longest chain that ends in a store, by way
  for (int n = block.first; n < block.end; ++n) {
    const size_t here = static_cast<size_t>(n - block.first);
    for (const Need& need : values.needs[here]) {
      if (need.producer < 0) continue;
      length[here] =
          std::max(length[here], length[static_cast<size_t>(need.producer - block.first)]);
    }
    const Instruction& i = function.body[static_cast<size_t>(n)];
    const unsigned ways = ways_through_memory(i);
    const bool loads = i.opcode.starts_with("ld") || i.opcode == "atom";
    for (size_t way = 0; way < stored.size() && loads; ++way) {
      if ((ways >> way) & 1U) length[here] = std::max(length[here], stored[way]);
    }
    const bool goes = is_free_copy(i) || (i.opcode == "bra" && n + 1 < block.end);
    if (!goes) ++length[here];
    for (size_t way = 0; way < stored.size() && !i.opcode.starts_with("ld"); ++way) {
      if ((ways >> way) & 1U) stored[way] = std::max(stored[way], length[here]);
    }
    longest = std::max(longest, length[here]);
  }
  return longest;
}

}  // namespace

const std::vector<InstructionCountInfo>& instruction_count_table() {
  using C = InstructionCounts;
  // clang-format off
  static const std::vector<InstructionCountInfo> rows = {
      {"alu_instructions", "instruction", &C::alu_instructions,
       "PTX instructions for integer addition, logic, comparison and selection."},
      {"fma_instructions", "instruction", &C::fma_instructions,
       "PTX instructions for f32 arithmetic and integer multiplication."},
      {"fp64_instructions", "instruction", &C::fp64_instructions,
       "PTX instructions for f64 arithmetic."},
      {"special_instructions", "instruction", &C::special_instructions,
       "PTX instructions of the special-function unit: sin, ex2, rcp, rsqrt, popc …"},
      {"software_instructions", "instruction", &C::software_instructions,
       "PTX instructions without hardware support: div, rem, exact sqrt. The back end emits a "
       "sequence for each."},
      {"texture_instructions", "instruction", &C::texture_instructions,
       "PTX instructions of the texture unit: fetches, surface loads and stores."},
      {"conversion_instructions", "instruction", &C::conversion_instructions,
       "PTX conversions between types."},
      {"branch_instructions", "instruction", &C::branch_instructions,
       "PTX branches."},
      {"barrier_instructions", "instruction", &C::barrier_instructions,
       "Block barriers that warps reached."},
      {"mbarrier_arrivals", "arrival", &C::mbarrier_arrivals,
       "Arrivals of warps at mbarrier objects, the barriers in shared memory."},
      {"shuffle_instructions", "instruction", &C::shuffle_instructions,
       "Shuffles (shfl): values exchanged between the lanes of a warp."},
      {"vote_instructions", "instruction", &C::vote_instructions,
       "Votes, matches and reductions over a warp: vote, match, redux, elect, activemask."},
      {"tensor_instructions", "instruction", &C::tensor_instructions,
       "Matrix products of a warp on tensor cores: mma and wmma.mma."},
      {"async_copy_instructions", "instruction", &C::async_copy_instructions,
       "Asynchronous copies that warps started: cp.async, in bulk or not."},
      {"copy_waits", "wait", &C::copy_waits,
       "Waits for asynchronous copies, and tests of mbarrier objects."},
      {"dependent_steps", "instruction", &C::dependent_steps,
       "PTX instructions on the longest dependency chain of each basic block."},
      {"load_waits", "wait", &C::load_waits,
       "Times a warp had to wait for loads from global memory."},
  };
  // clang-format on
  return rows;
}

InstructionCounts& operator+=(InstructionCounts& sum, const InstructionCounts& more) {
  for (const InstructionCountInfo& row : instruction_count_table())
    sum.*row.field += more.*row.field;
  return sum;
}

InstructionCounts count_instructions(const ptx::Function& function,
                                     std::span<const emulator::InstructionCount> counts) {
  InstructionCounts total;
  for (size_t i = 0; i < function.body.size() && i < counts.size(); ++i) {
    if (counts[i].warps == 0) continue;
    if (const auto field = field_of(function.body[i])) total.*field += counts[i].warps;
  }
  const std::vector<StraightBlock> blocks = straight_blocks(function);
  const std::vector<BlockWaits> waits = load_waits_of(function, blocks);
  const auto runs_of = [&](size_t block) {
    const size_t first = static_cast<size_t>(blocks[block].first);
    return first < counts.size() ? counts[first].warps : 0;
  };
  std::vector<uint64_t> entries(blocks.size(), 0);  // from earlier blocks
  for (size_t b = 0; b < blocks.size(); ++b) {
    for (int next : blocks[b].successors) {
      if (static_cast<size_t>(next) > b) entries[static_cast<size_t>(next)] += runs_of(b);
    }
  }
  for (size_t b = 0; b < blocks.size(); ++b) {
    const uint64_t runs = runs_of(b);
    if (runs == 0) continue;
    total.load_waits += runs * static_cast<uint64_t>(waits[b].each_run) +
                        std::min(runs, entries[b]) * static_cast<uint64_t>(waits[b].on_entry);
    total.dependent_steps += runs * chain_of(function, blocks[b]);
  }
  return total;
}

}  // namespace warpshop::timing
