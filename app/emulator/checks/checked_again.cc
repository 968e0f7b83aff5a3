#include "checks/checked_again.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/cfg.h"
#include "analysis/instructions.h"
#include "analysis/liveness.h"
#include "ptx/operand_registers.h"
#include "state/decoded.h"

namespace warpshop::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;

// A program of a million loads must not take hours: longer addresses are assumed to differ, and
// later loads of a function are assumed not to be checked again.
constexpr size_t kLongestAddress = 400;
constexpr int kDeepestAddress = 100;
constexpr int kMostFollowedLoads = 256;
constexpr int kMostPasses = 64;

bool reads_memory(const Instruction& i) {
  return i.opcode == "ld" || i.opcode == "ldu" || i.opcode == "cp";
}
bool is_atomic(const Instruction& i) { return i.opcode == "atom" || i.opcode == "red"; }

// The facts about a function's registers and branches needed to match loads and atomics on one
// address.
class FunctionLoads {
 public:
  explicit FunctionLoads(const ptx::Function& function)
      : function_(function),
        flow_(build_control_flow(function)),
        definition_(function.registers.size(), kNone),
        places_(function.registers.size()) {
    for (size_t n = 0; n < function.body.size(); ++n) {
      for (const size_t r : ptx::written_registers(function.body[n]))
        definition_[r] = definition_[r] == kNone ? static_cast<int>(n) : kSeveral;
    }
    block_of_.assign(function.body.size(), 0);
    for (size_t n = 0; n < flow_.items.size(); ++n)
      block_of_[static_cast<size_t>(flow_.items[n].instruction)] = flow_.block_of_item[n];
    for (size_t n = 0; n < function.body.size(); ++n) {
      const Operand* to = is_atomic(function.body[n]) ? address_operand(function.body[n]) : nullptr;
      if (to != nullptr) atomics_[place_of(*to)].push_back(static_cast<int>(n));
    }
  }

  // `in_its_array`: the atomics whose address is derived from the same array as the load's.
  bool checked_again(int load, const std::vector<int>& in_its_array) {
    const Instruction& from = function_.body[static_cast<size_t>(load)];
    const Operand* address = address_operand(from);
    if (address == nullptr || !(from.opcode == "ld" || from.opcode == "ldu")) return false;
    const Place place = place_of(*address);
    std::vector<int> atomics;
    if (const auto found = atomics_.find(place); found != atomics_.end()) atomics = found->second;
    for (const int n : in_its_array) {
      const Instruction& atomic = function_.body[static_cast<size_t>(n)];
      if (has_modifier(atomic, "cas") && place_of(*address_operand(atomic)).base != place.base)
        atomics.push_back(n);
    }
    if (atomics.empty() || ++followed_ > kMostFollowedLoads) return false;
    const std::vector<bool> carries = registers_from(load);
    return std::any_of(atomics.begin(), atomics.end(), [&](int atomic) {
      return goes_into(atomic, carries) ? is_tried_again(atomic) : decides(atomic, carries);
    });
  }

 private:
  static constexpr int kNone = -1;
  static constexpr int kSeveral = -2;

  // An address as a base expression plus an offset. Equal places are equal addresses in one thread.
  struct Place {
    std::string base;
    int64_t offset = 0;
    bool operator==(const Place&) const = default;
    bool operator<(const Place& other) const {
      return std::tie(base, offset) < std::tie(other.base, other.offset);
    }
  };

  Place place_of(const Operand& o) {
    if (o.kind == Operand::Kind::kInteger) return {"", static_cast<int64_t>(o.bits)};
    Place out;
    ++depth_;
    if (o.register_index >= 0) out = place_of_register(static_cast<size_t>(o.register_index));
    --depth_;
    if (o.symbol.table != ptx::Symbol::Table::kNone) {
      out.base += "symbol" + std::to_string(static_cast<int>(o.symbol.table)) + "." +
                  std::to_string(o.symbol.index);
    }
    out.base += o.text;
    out.offset += o.offset;
    return out;
  }

  Place place_of_register(size_t r) {
    if (!places_[r]) {
      const Place itself{"register" + std::to_string(r), 0};
      places_[r] = itself;  // for registers that are derived from themselves
      const Place made = depth_ > kDeepestAddress ? itself : place_of_value(r, itself);
      places_[r] = made.base.size() > kLongestAddress ? itself : made;
    }
    return *places_[r];
  }

  Place place_of_value(size_t r, const Place& itself) {
    if (definition_[r] < 0) return itself;
    const Instruction& i = function_.body[static_cast<size_t>(definition_[r])];
    const bool parameter = i.opcode == "ld" && space_of(i) == ptx::Space::kParam;
    if (i.guard_register >= 0 || i.operands.size() < 2 || has_effect(i) ||
        (reads_memory(i) && !parameter) || i.operands[0].kind != Operand::Kind::kRegister) {
      return itself;
    }
    const bool copies = i.opcode == "mov" || i.opcode == "cvta";
    if (copies && i.operands.size() == 2) return place_of(i.operands[1]);
    if (i.opcode == "add" && i.operands.size() == 3 &&
        i.operands[2].kind == Operand::Kind::kInteger) {
      Place out = place_of(i.operands[1]);
      out.offset += static_cast<int64_t>(i.operands[2].bits);
      return out;
    }
    Place out{i.opcode, 0};
    for (const std::string& m : i.modifiers) out.base += "." + m;
    out.base += "(";
    for (size_t n = 1; n < i.operands.size(); ++n) {
      const Place part = place_of(i.operands[n]);
      out.base += part.base + "+" + std::to_string(part.offset) + ",";
    }
    out.base += ")";
    return out;
  }

  // The registers that depend on the result of an instruction: on the value that it loads.
  std::vector<bool> registers_from(int load) const {
    std::vector<bool> carries(function_.registers.size(), false);
    for (const size_t r : ptx::written_registers(function_.body[static_cast<size_t>(load)]))
      carries[r] = true;
    bool changed = true;
    for (int pass = 0; changed && pass < kMostPasses; ++pass) {
      changed = false;
      for (const Instruction& i : function_.body) {
        if (reads_memory(i) || is_atomic(i) || i.opcode == "call" || i.opcode == "tex") continue;
        bool reads = false;
        ptx::each_read(i, [&](size_t r) { reads = reads || carries[r]; });
        if (!reads) continue;
        for (const size_t r : ptx::written_registers(i)) {
          changed = changed || !carries[r];
          carries[r] = true;
        }
      }
    }
    return carries;
  }

  // True if an operand of the atomic is computed from the value.
  bool goes_into(int atomic, const std::vector<bool>& carries) const {
    const Instruction& i = function_.body[static_cast<size_t>(atomic)];
    bool found = false;
    for (const Operand& o : i.operands) {
      if (&o == address_operand(i) || (i.opcode == "atom" && &o == &i.operands[0])) continue;
      ptx::each_register(o, [&](size_t r) { found = found || carries[r]; });
    }
    return found;
  }

  // True for a compare-and-swap whose outcome something depends on: a guard, or the caller.
  // Otherwise what was computed from a stale value is lost, as it always is with other atomics.
  bool is_tried_again(int atomic) {
    if (!has_modifier(function_.body[static_cast<size_t>(atomic)], "cas")) return false;
    std::optional<bool>& known = tried_again_[atomic];
    if (!known && ++followed_ <= kMostFollowedLoads) {
      const std::vector<bool> outcome = registers_from(atomic);
      known = std::any_of(function_.body.begin(), function_.body.end(), [&](const Instruction& i) {
        bool depends = i.guard_register >= 0 && outcome[static_cast<size_t>(i.guard_register)];
        if (i.opcode == "st" && space_of(i) == ptx::Space::kParam) {
          for (const Operand& o : i.operands)
            ptx::each_register(o, [&](size_t r) { depends = depends || outcome[r]; });
        }
        return depends;
      });
    }
    return known.value_or(false);
  }

  // True if a guard or a branch that depends on the value decides whether the atomic is executed. A
  // branch decides about everything up to its reconvergence point.
  bool decides(int atomic, const std::vector<bool>& carries) const {
    const auto tests = [&](const Instruction& i) {
      return i.guard_register >= 0 && carries[static_cast<size_t>(i.guard_register)];
    };
    if (tests(function_.body[static_cast<size_t>(atomic)])) return true;
    const int target = block_of_[static_cast<size_t>(atomic)];
    for (size_t n = 0; n < flow_.items.size(); ++n) {
      const Instruction& i = function_.body[static_cast<size_t>(flow_.items[n].instruction)];
      if (!tests(i) || !(is_branch(i) || ends_thread(i) || flow_.items[n].skip_branch)) continue;
      const int block = flow_.block_of_item[n];
      if (lies_between(block, flow_.blocks[static_cast<size_t>(block)].reconvergence, target))
        return true;
    }
    return false;
  }

  bool lies_between(int branch, int reconvergence, int target) const {
    std::vector<bool> seen(flow_.blocks.size() + 1, false);
    std::vector<int> open = flow_.blocks[static_cast<size_t>(branch)].successors;
    while (!open.empty()) {
      const int block = open.back();
      open.pop_back();
      if (block == reconvergence || block == flow_.exit_block() || seen[static_cast<size_t>(block)])
        continue;
      if (block == target) return true;
      seen[static_cast<size_t>(block)] = true;
      const std::vector<int>& next = flow_.blocks[static_cast<size_t>(block)].successors;
      open.insert(open.end(), next.begin(), next.end());
    }
    return false;
  }

  const ptx::Function& function_;
  ControlFlow flow_;
  // By register: the only instruction that writes it, kNone or kSeveral.
  std::vector<int> definition_;
  std::vector<int> block_of_;                       // by instruction
  std::vector<std::optional<Place>> places_;        // by register, computed on demand
  std::map<Place, std::vector<int>> atomics_;       // instructions
  std::map<int, std::optional<bool>> tried_again_;  // by instruction: is_tried_again, if known
  int followed_ = 0;
  int depth_ = 0;  // recursion depth of place_of
};

// The pointer parameter or place in shared memory from which a site's address is derived.
using Array = std::pair<uint64_t, uint32_t>;
std::optional<Array> array_of(const DecodedProgram::SiteBase& base) {
  if (base.one_array && !base.constant) return Array{0, base.offset};
  if (base.params != 0) return Array{base.params, 0};
  return std::nullopt;
}

}  // namespace

std::vector<LoadBesideAtomics> loads_beside_atomics(const DecodedProgram& program) {
  std::vector<LoadBesideAtomics> out(program.sites.size(), LoadBesideAtomics::kPlain);
  for (const DecodedFunction& decoded : program.functions) {
    const ptx::Function& function = *decoded.source;
    if (std::none_of(function.body.begin(), function.body.end(), is_atomic)) continue;
    FunctionLoads loads(function);
    std::map<Array, std::vector<int>> atomics;
    for (size_t s = 0; s < program.sites.size(); ++s) {
      const AccessSite& site = program.sites[s];
      const bool atomic = site.kind == AccessKind::kAtomic || site.kind == AccessKind::kReduction;
      if (site.function != decoded.index || !atomic) continue;
      if (const std::optional<Array> array = array_of(program.site_bases[s]))
        atomics[*array].push_back(site.instruction);
    }
    for (size_t s = 0; s < program.sites.size(); ++s) {
      const AccessSite& site = program.sites[s];
      if (site.function != decoded.index || site.kind != AccessKind::kLoad) continue;
      const std::optional<Array> array = array_of(program.site_bases[s]);
      if (loads.checked_again(site.instruction, array ? atomics[*array] : std::vector<int>()))
        out[s] = LoadBesideAtomics::kCheckedAgain;
    }
  }
  for (size_t s = 0; s < program.sites.size(); ++s) {
    const AccessSite& site = program.sites[s];
    const Instruction& i = program.module->functions[static_cast<size_t>(site.function)]
                               .body[static_cast<size_t>(site.instruction)];
    if (site.kind == AccessKind::kLoad && is_strong(i)) out[s] = LoadBesideAtomics::kStrong;
  }
  return out;
}

}  // namespace warpshop::emulator
