#include "decode/locks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/instructions.h"
#include "analysis/liveness.h"
#include "decode/decoder.h"
#include "decode/waiting_loads.h"
#include "shadows/order_role.h"
#include "state/decoded.h"

namespace warpshop::emulator {
namespace {

using ptx::Instruction;

bool has_one_of(const Instruction& i, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return has_modifier(i, name); });
}

bool is_fence(const Instruction& i) {
  return i.opcode == "membar" ||
         (i.opcode == "fence" && has_one_of(i, {"acq_rel", "sc", "acquire", "release"}) &&
          !has_modifier(i, "proxy"));
}

// `used`: an instruction reads the result.
uint32_t roles_of(const Instruction& i, bool used, bool polls) {
  const bool atomic = i.opcode == "atom" || i.opcode == "red";
  const bool load = i.opcode == "ld";
  if (!atomic && !is_strong(i)) return 0;
  uint32_t roles = 0;
  if (has_one_of(i, {"release", "acq_rel"})) roles |= kReleases;
  if (has_one_of(i, {"acquire", "acq_rel"})) roles |= kAcquires;
  if (load && roles != 0) roles |= kLoads;
  if (load) return roles | kReads | (polls ? kPolls | kLocks : 0u);
  if (!atomic) return roles | kWrites | kReplaces | kUnlocks;
  roles |= kReads | kWrites;
  const bool compares = has_modifier(i, "cas");
  if (compares) roles |= kCompares;
  if (used && (compares || has_modifier(i, "exch"))) roles |= kLocks;
  if (!used && has_modifier(i, "exch")) roles |= kUnlocks;
  return roles;
}

// Plain accesses between blocks that are meant to be strong: past L1, which is not coherent, or in
// a loop that waits. The manual promises nothing of them, but they work.
uint32_t weak_roles_of(const Instruction& i, const AccessSite& site, bool polls) {
  if (site.space != ptx::Space::kGlobal) return 0;
  if (i.opcode == "ld" && (polls || has_one_of(i, {"cg", "cv"})))
    return kWeak | kReads | (polls ? uint32_t{kPolls} : 0u);
  return i.opcode == "st" && has_one_of(i, {"cg", "wt"}) ? kWeak | kWrites | kReplaces : 0u;
}

// Generic addresses are assumed to be in shared memory only if they are not a parameter's; explicit
// orders of wider scopes are for global memory, and the race watch that handles them is slower.
bool may_be_shared(const AccessSite& site, const DecodedProgram::SiteBase& base,
                   const Instruction& i, uint32_t roles) {
  if (site.space == ptx::Space::kShared) return true;
  if (site.space != ptx::Space::kGeneric || base.constant || base.params != 0) return false;
  return base.one_array || (roles & (kReleases | kAcquires)) == 0 || has_modifier(i, "cta");
}

template <typename Condition>
bool any_instruction(const ptx::Module& module, const std::vector<int>& functions,
                     Condition condition) {
  return std::any_of(functions.begin(), functions.end(), [&](int f) {
    const std::vector<Instruction>& body = module.functions[static_cast<size_t>(f)].body;
    return std::any_of(body.begin(), body.end(), condition);
  });
}

// Marks the volatile stores to words of shared memory that a loop waits for.
void mark_polled(DecodedProgram& program) {
  const auto word = [&](size_t s) -> std::optional<std::tuple<int, int, int64_t>> {
    const AccessSite& site = program.sites[s];
    if (site.space != ptx::Space::kShared) return std::nullopt;
    const ptx::Operand* const at =
        address_operand(program.module->functions[static_cast<size_t>(site.function)]
                            .body[static_cast<size_t>(site.instruction)]);
    if (at == nullptr || at->register_index >= 0 || at->symbol.index < 0) return std::nullopt;
    return std::tuple(static_cast<int>(at->symbol.table), static_cast<int>(at->symbol.index),
                      static_cast<int64_t>(at->offset));
  };
  std::set<std::tuple<int, int, int64_t>> polled;
  for (size_t s = 0; s < program.sites.size(); ++s) {
    if ((program.order_roles[s] & kPolls) == 0) continue;
    if (const auto at = word(s)) polled.insert(*at);
  }
  for (size_t s = 0; s < program.sites.size(); ++s) {
    if ((program.order_roles[s] & kReplaces) == 0) continue;
    if (const auto at = word(s); at && polled.contains(*at)) program.order_roles[s] |= kPolled;
  }
}

}  // namespace

bool may_have_locks(const ptx::Module& module, const std::vector<int>& functions) {
  return any_instruction(module, functions, [](const Instruction& i) {
    return is_fence(i) || (roles_of(i, true, true) & (kLocks | kReleases | kAcquires)) != 0;
  });
}

bool may_order_blocks(const ptx::Module& module, const std::vector<int>& functions) {
  return any_instruction(module, functions, [](const Instruction& i) {
    return !has_modifier(i, "cta") &&
           (is_fence(i) || (roles_of(i, true, true) & (kReleases | kAcquires)) != 0);
  });
}

void find_locks(DecodedProgram& program) {
  bool fences = false;
  std::map<int, std::vector<bool>> read;  // by function
  for (const DecodedFunction& function : program.functions) {
    const std::vector<Instruction>& body = function.source->body;
    read[function.index] = registers_read(*function.source);
    fences = fences || std::any_of(body.begin(), body.end(), is_fence);
  }
  const std::set<std::pair<int, int>> waiting = waiting_loads(program);
  uint32_t all = 0;
  program.order_roles.assign(program.sites.size(), 0);
  for (size_t s = 0; s < program.sites.size(); ++s) {
    const AccessSite& site = program.sites[s];
    const Instruction& i = program.module->functions[static_cast<size_t>(site.function)]
                               .body[static_cast<size_t>(site.instruction)];
    const bool used = i.opcode != "red" && !i.operands.empty() &&
                      defines_live(i.operands[0], read[site.function]);
    const bool polls = waiting.contains({site.function, site.instruction});
    const uint32_t roles = roles_of(i, used, polls);
    program.order_roles[s] = roles != 0 ? roles : weak_roles_of(i, site, polls);
    if (!may_be_shared(site, program.site_bases[s], i, roles)) continue;
    all |= roles & ~uint32_t{kReads};
    if (used) all |= roles & kReads;
  }
  mark_polled(program);
  const auto has = [&](uint32_t roles) { return (all & roles) == roles; };
  program.parts_wait = program.parts_wait || (all & (kReleases | kAcquires)) != 0 ||
                       (fences && has(kReads | kWrites)) || has(kLocks | kUnlocks);
}

}  // namespace warpshop::emulator
