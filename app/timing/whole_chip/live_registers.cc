#include "whole_chip/live_registers.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "dependence.h"
#include "ptx/operand_registers.h"

namespace warpshop::timing {
namespace {

using ptx::Instruction;

int width_of(const ptx::Register& reg, bool narrow) {
  switch (ptx::size_bytes(reg.type)) {
    case 0:
      return 0;  // predicates have their own registers
    case 8:
      return narrow && reg.type != ptx::Type::kF64 ? 1 : 2;
    case 16:
      return 4;
    default:
      return 1;
  }
}

// Parameters and grid constants are operands in constant or shared memory, so copies of them need
// no register.
bool is_free(const Instruction& i) {
  if (i.opcode == "ld" && !i.modifiers.empty() && i.modifiers[0] == "param") return true;
  return i.opcode == "mov" && i.operands.size() == 2 &&
         i.operands[1].kind != ptx::Operand::Kind::kRegister &&
         (i.operands[1].kind != ptx::Operand::Kind::kSpecial ||
          !i.operands[1].text.starts_with("%tid"));
}

constexpr int kNoArm = -1;
constexpr int kManyArms = -2;

// By register: the branch around the only arm that uses it.
std::vector<int> arms_of(const ptx::Function& function, const std::vector<StraightBlock>& blocks) {
  constexpr int kUnseen = -3;
  std::vector<int> arm(function.registers.size(), kUnseen);
  for (const StraightBlock& block : blocks) {
    for (int n = block.first; n < block.end; ++n) {
      const Instruction& i = function.body[static_cast<size_t>(n)];
      const int branch = block.arm_branch[static_cast<size_t>(n - block.first)];
      const auto note = [&](int r) {
        int& known = arm[static_cast<size_t>(r)];
        known = known == kUnseen || known == branch ? branch : kManyArms;
      };
      for (int r : ptx::written_registers(i)) note(r);
      for (int r : ptx::read_registers(i)) note(r);
    }
  }
  return arm;
}

// The texture units of 1.x write four consecutive registers, however many are used; all stay
// occupied while any is needed. By register: the others of its fetch.
std::vector<std::vector<int>> fetched_together(const ptx::Function& function) {
  std::vector<std::vector<int>> others(function.registers.size());
  for (const Instruction& i : function.body) {
    if (i.opcode != "tex") continue;
    const std::vector<int> written = ptx::written_registers(i);
    for (int r : written) others[static_cast<size_t>(r)] = written;
  }
  return others;
}

}  // namespace

int live_registers(const emulator::Program& program, bool narrow_addresses) {
  const ptx::Function& function = program.function();
  const std::vector<StraightBlock> blocks = straight_blocks(function);
  const std::vector<int> arms = arms_of(function, blocks);
  const size_t count = function.registers.size();
  const std::vector<std::vector<int>> together =
      narrow_addresses ? fetched_together(function) : std::vector<std::vector<int>>(count);
  std::vector<int> width(count, 0);
  for (size_t r = 0; r < count; ++r) width[r] = width_of(function.registers[r], narrow_addresses);
  // A copy shares its source's register, and so do values derived only from free ones.
  std::vector<bool> costs(count, false);
  for (const Instruction& i : function.body) {
    if (is_free(i)) continue;
    const std::vector<int> read = ptx::read_registers(i);
    const bool passes_on = i.opcode == "cvta";
    const bool of_free = passes_on && std::none_of(read.begin(), read.end(), [&](int r) {
                           return costs[static_cast<size_t>(r)];
                         });
    if (of_free) continue;
    for (int r : ptx::written_registers(i)) costs[static_cast<size_t>(r)] = true;
  }
  std::vector<std::vector<bool>> live_in(blocks.size(), std::vector<bool>(count, false));
  int most = 0;
  for (bool changed = true; changed;) {
    changed = false;
    most = 0;
    for (size_t b = blocks.size(); b-- > 0;) {
      std::vector<bool> live(count, false);
      for (int next : blocks[b].successors) {
        const std::vector<bool>& in = live_in[static_cast<size_t>(next)];
        for (size_t r = 0; r < count; ++r) live[r] = live[r] || in[r];
      }
      const auto weigh = [&] {
        int sum = 0;
        for (size_t r = 0; r < count; ++r) sum += live[r] && costs[r] ? width[r] : 0;
        most = std::max(most, sum);
      };
      for (int n = blocks[b].end - 1; n >= blocks[b].first; --n) {
        const Instruction& i = function.body[static_cast<size_t>(n)];
        weigh();
        // A register written in an arm may have an earlier value, unless it is not used outside
        // that arm.
        const int arm = blocks[b].arm_branch[static_cast<size_t>(n - blocks[b].first)];
        for (int r : ptx::written_registers(i)) {
          const bool begins =
              i.guard_register < 0 && (arm == kNoArm || arms[static_cast<size_t>(r)] == arm);
          if (begins) live[static_cast<size_t>(r)] = false;
        }
        for (int r : ptx::read_registers(i)) {
          live[static_cast<size_t>(r)] = true;
          for (int other : together[static_cast<size_t>(r)])
            live[static_cast<size_t>(other)] = true;
        }
      }
      weigh();
      if (live != live_in[b]) {
        live_in[b] = live;
        changed = true;
      }
    }
  }
  return most;
}

}  // namespace warpshop::timing
