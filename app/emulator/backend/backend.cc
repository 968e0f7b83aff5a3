#include "backend/backend.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "analysis/cfg.h"
#include "analysis/instructions.h"
#include "analysis/liveness.h"
#include "backend/known_bits.h"
#include "backend/linear_address.h"
#include "backend/uniform.h"

namespace warpshop::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;

// ---- one access as words ------------------------------------------------------------------------

// One memory request of a site: a byte range relative to its own address.
struct Issue {
  int offset = 0;
  int bytes = 0;
};

void set_issues(AccessSite& site, const std::vector<Issue>& issues, const Sentence& note) {
  site.backend_note = note;
  site.issued_offset = issues[0].offset;
  site.issued_bytes = issues[0].bytes;
  if (issues.size() > 1) {
    site.second_offset = issues[1].offset;
    site.second_bytes = issues[1].bytes;
  }
}

// The accesses that cover the needed 4-byte words of an aligned 16-byte window: at most two.
std::vector<Issue> issues_for_words(uint32_t wanted, bool is_store) {
  const int count = std::popcount(wanted);
  if (count == 4 || (count == 3 && !is_store)) return {{0, 16}};
  std::vector<Issue> issues;
  for (int pair = 0; pair < 4; pair += 2) {
    const uint32_t both = 3u << pair;
    if ((wanted & both) == both) {
      issues.push_back({pair * 4, 8});
      wanted &= ~both;
    }
  }
  for (int word = 0; word < 4; ++word) {
    if ((wanted >> word) & 1u) issues.push_back({word * 4, 4});
  }
  std::sort(issues.begin(), issues.end(),
            [](const Issue& a, const Issue& b) { return a.offset < b.offset; });
  return issues;
}

bool is_scalar_merge_size(int element_bytes) { return element_bytes == 4 || element_bytes == 8; }

// Elements of a load with live results; all of them for a store.
uint32_t live_elements(const Instruction& i, const AccessSite& site,
                       const std::vector<bool>& live_register) {
  const uint32_t all = (1u << site.elements) - 1;
  if (site.kind != AccessKind::kLoad || has_modifier(i, "volatile")) return all;
  uint32_t live = 0;
  const Operand& dest = i.operands[0];
  for (uint32_t e = 0; e < site.elements; ++e) {
    const Operand& o = dest.kind == Operand::Kind::kVector ? dest.elements[e] : dest;
    if (o.kind == Operand::Kind::kRegister && live_register[static_cast<size_t>(o.register_index)])
      live |= 1u << e;
  }
  return live;
}

// Shrinks a partly used vector load to its used parts. Measured: ptxas 13.0, sm_90.
void narrow(AccessSite& site, uint32_t live) {
  const uint32_t all = (1u << site.elements) - 1;
  if (site.kind != AccessKind::kLoad || live == all) return;
  if (live == 0) {
    site.dropped = true;
    site.backend_note = sentence("no instruction uses the result: the compiler removes the load");
    return;
  }
  const Sentence note = sentence("only a part of the vector is used: the compiler loads that part");
  if (site.element_bytes == 4 && site.elements == 4) {
    set_issues(site, issues_for_words(live, false), note);
  } else if (is_scalar_merge_size(site.element_bytes) && site.elements == 2) {
    const int e = std::countr_zero(live);
    set_issues(site, {{e * site.element_bytes, site.element_bytes}}, note);
  } else if (site.element_bytes == 2 && site.elements == 4) {
    if (std::popcount(live) == 1) {
      set_issues(site, {{2 * std::countr_zero(live), 2}}, note);
    } else if ((live & 3u) == live || (live & 12u) == live) {
      set_issues(site, {{(live & 3u) ? 0 : 4, 4}}, note);
    }
  }
}

// An integer atomic by the whole warp on one address is performed once, by an elected lane, with
// the warp's sum. Measured: ptxas 13.0, sm_90. The counting add in shared memory (ATOMS.POPC.INC)
// has its own instruction instead.
void pick_leader(const Instruction& i, AccessSite& site, const std::vector<bool>& uniform) {
  if (site.kind != AccessKind::kReduction && site.kind != AccessKind::kAtomic) return;
  const ptx::Type type = type_of(i);
  const bool integer = type == ptx::Type::kU32 || type == ptx::Type::kS32 ||
                       type == ptx::Type::kB32 ||
                       (type == ptx::Type::kU64 && site.space == ptx::Space::kGlobal);
  const bool operation = has_modifier(i, "add") || has_modifier(i, "min") ||
                         has_modifier(i, "max") || has_modifier(i, "and") ||
                         has_modifier(i, "or") || has_modifier(i, "xor");
  const Operand& address = i.operands[i.opcode == "red" ? 0 : 1];
  const Operand& value = i.operands[i.opcode == "red" ? 1 : 2];
  const bool counts = site.space == ptx::Space::kShared && site.kind == AccessKind::kReduction &&
                      has_modifier(i, "add") && value.kind == Operand::Kind::kInteger &&
                      value.bits == 1;
  if (!integer || !operation || counts || !is_uniform_address(address, uniform)) return;
  site.elected = true;
  site.backend_note =
      sentence("all lanes go to one address: one lane performs the operation for the warp");
}

// ---- merging neighbours in shared memory --------------------------------------------------------

struct MergedLoad {
  int site = 0;          // in the program
  int order = 0;         // in the block
  int64_t constant = 0;  // of its linear address
  int residue = 0;       // address mod `window`
  int window = 0;        // bytes of the largest aligned window: 16, 8, or 0 if unknown
};

// Larger than any shared memory: an access with a larger constant is out of bounds and stays as
// written.
constexpr int64_t kFarthest = int64_t{1} << 48;

// (value of the address, its coefficient, element bytes)
using GroupKey = std::tuple<int, int64_t, int>;

class SharedMerger {
 public:
  SharedMerger(DecodedProgram& program, bool stores) : program_(program), stores_(stores) {}

  void add(const GroupKey& key, const MergedLoad& element) { groups_[key].push_back(element); }

  // The constant of a site's own linear address.
  void note_address(int site, int64_t constant) { first_constant_[site] = constant; }

  // Call it where no access may be moved across.
  void flush() {
    for (const auto& [key, elements] : groups_) merge(std::get<2>(key), elements);
    groups_.clear();
  }

 private:
  void merge(int element_bytes, const std::vector<MergedLoad>& elements) {
    int window = 0;
    for (const MergedLoad& e : elements) window = std::max(window, e.window);
    std::map<int64_t, std::vector<const MergedLoad*>> windows;
    if (window <= element_bytes) {
      // Unknown alignment; the same word loaded twice is still read once.
      for (const MergedLoad& e : elements) windows[e.constant].push_back(&e);
      for (const auto& [start, members] : windows)
        assign(element_bytes, start, {0, element_bytes}, members);
      return;
    }
    for (const MergedLoad& e : elements) {
      // The residue comes from the group's best-known member, plus the constant distance.
      const MergedLoad& anchor =
          *std::find_if(elements.begin(), elements.end(),
                        [&](const MergedLoad& a) { return a.window == window; });
      const int64_t residue =
          ((anchor.residue + (e.constant - anchor.constant)) % window + window) % window;
      if (residue % element_bytes != 0) return;
      windows[e.constant - residue].push_back(&e);
    }
    for (const auto& [start, members] : windows)
      merge_window(element_bytes, window, start, members);
  }

  void merge_window(int element_bytes, int window, int64_t start,
                    const std::vector<const MergedLoad*>& members) {
    uint32_t wanted = 0;
    for (const MergedLoad* m : members) {
      const auto word = static_cast<uint32_t>((m->constant - start) / element_bytes);
      wanted |= 1u << word;
    }
    std::vector<Issue> issues;
    if (element_bytes == 8) {
      issues = wanted == 3u ? std::vector<Issue>{{0, 16}}
                            : std::vector<Issue>{{wanted == 2u ? 8 : 0, 8}};
    } else if (window == 8) {
      issues =
          wanted == 3u ? std::vector<Issue>{{0, 8}} : std::vector<Issue>{{wanted == 2u ? 4 : 0, 4}};
    } else {
      issues = issues_for_words(wanted, stores_);
    }
    for (const Issue& issue : issues) assign(element_bytes, start, issue, members);
  }

  // The first site (in program order) with an element in the issue becomes the leader of the
  // others.
  void assign(int element_bytes, int64_t start, const Issue& issue,
              const std::vector<const MergedLoad*>& members) {
    std::vector<const MergedLoad*> inside;
    for (const MergedLoad* m : members) {
      const int64_t at = m->constant - start;
      if (at >= issue.offset && at + element_bytes <= issue.offset + issue.bytes)
        inside.push_back(m);
    }
    const MergedLoad* leader = *std::min_element(
        inside.begin(), inside.end(), [](const MergedLoad* a, const MergedLoad* b) {
          return std::pair(a->order, a->constant) < std::pair(b->order, b->constant);
        });
    std::set<int> sites;
    for (const MergedLoad* m : inside) sites.insert(m->site);
    AccessSite& site = program_.sites[static_cast<size_t>(leader->site)];
    if (sites.size() == 1 && issue.bytes == site.width_bytes()) return;  // as written
    const int64_t own = first_constant_.at(leader->site);
    const auto offset = static_cast<int>(start + issue.offset - own);
    if (site.issued_bytes == 0 || !touched_.contains(leader->site)) {
      site.issued_offset = offset;
      site.issued_bytes = issue.bytes;
      site.second_bytes = 0;
      touched_.insert(leader->site);
    } else {
      site.second_offset = offset;
      site.second_bytes = issue.bytes;
    }
    if (sites.size() > 1) {
      const std::vector<SentencePart> parts = {{"count", sites.size()}, {"bytes", issue.bytes}};
      site.backend_note =
          stores_ ? sentence(
                        "the compiler merges {count} neighbouring stores into one access of "
                        "{bytes} bytes",
                        parts)
                  : sentence(
                        "the compiler merges {count} neighbouring loads into one access of "
                        "{bytes} bytes",
                        parts);
    }
    for (int s : sites) {
      if (s == leader->site) continue;
      AccessSite& follower = program_.sites[static_cast<size_t>(s)];
      follower.leader = leader->site;
      follower.backend_note =
          sentence("issued together with the neighbouring access in line {line}",
                   {{"line", site.source.line}});
    }
  }

  DecodedProgram& program_;
  bool stores_;
  std::map<GroupKey, std::vector<MergedLoad>> groups_;
  std::map<int, int64_t> first_constant_;
  std::set<int> touched_;
};

// Which instructions end a group, as observed with ptxas: shared accesses of the other kind and
// synchronisation do; global accesses, arithmetic and warp votes do not.
// True for accesses that stay as they are and that no other access moves across.
bool stands_alone(const Instruction& i) {
  return i.opcode == "cp" || i.opcode == "mbarrier" || i.opcode == "ldmatrix" ||
         i.opcode == "stmatrix" || i.opcode == "wmma";
}

bool stops_loads(const Instruction& i) {
  if (stands_alone(i)) return true;
  const ptx::Space space = space_of(i);
  const bool may_be_shared = space == ptx::Space::kShared || space == ptx::Space::kGeneric;
  if (i.opcode == "st" || i.opcode == "atom" || i.opcode == "red") return may_be_shared;
  if (i.opcode == "ld") return may_be_shared && has_modifier(i, "volatile");
  return i.opcode == "bar" || i.opcode == "barrier" || i.opcode == "membar" ||
         i.opcode == "fence" || i.opcode == "call";
}
bool stops_stores(const Instruction& i) {
  if (stands_alone(i)) return true;
  const ptx::Space space = space_of(i);
  const bool may_be_shared = space == ptx::Space::kShared || space == ptx::Space::kGeneric;
  if (i.opcode == "ld" || i.opcode == "atom" || i.opcode == "red") return may_be_shared;
  if (i.opcode == "st")
    return (may_be_shared && has_modifier(i, "volatile")) || space == ptx::Space::kGeneric;
  return i.opcode == "bar" || i.opcode == "barrier" || i.opcode == "membar" ||
         i.opcode == "fence" || i.opcode == "call";
}

}  // namespace

void apply_backend_rules(DecodedProgram& program, int function_index) {
  const ptx::Module& module = *program.module;
  const ptx::Function& function = module.functions[static_cast<size_t>(function_index)];
  std::map<int, int> site_of;  // instruction → site
  for (size_t s = 0; s < program.sites.size(); ++s) {
    if (program.sites[s].function != function_index) continue;
    if (!stands_alone(function.body[static_cast<size_t>(program.sites[s].instruction)]))
      site_of[program.sites[s].instruction] = static_cast<int>(s);
  }
  if (site_of.empty()) return;
  const std::vector<bool> live_register = live_registers(function);
  const std::vector<bool> uniform = uniform_registers(function);
  for (const auto& [instruction, s] : site_of) {
    const Instruction& i = function.body[static_cast<size_t>(instruction)];
    AccessSite& site = program.sites[static_cast<size_t>(s)];
    narrow(site, live_elements(i, site, live_register));
    pick_leader(i, site, uniform);
  }

  const auto mergeable = [&](const Instruction& i, const AccessSite& site) {
    return site.space == ptx::Space::kShared && !site.dropped && i.guard_register < 0 &&
           !has_modifier(i, "volatile") && is_scalar_merge_size(site.element_bytes) &&
           (site.kind == AccessKind::kLoad || site.kind == AccessKind::kStore);
  };
  const bool any = std::any_of(site_of.begin(), site_of.end(), [&](const auto& at) {
    return mergeable(function.body[static_cast<size_t>(at.first)],
                     program.sites[static_cast<size_t>(at.second)]);
  });
  if (!any) return;

  const std::vector<uint64_t>& variables = program.shared_offset_of_function.at(function_index);
  const std::vector<uint64_t>& globals = program.shared_offset_of_function.at(-1);
  const std::vector<KnownBits> bits = known_bits(function, variables, globals);
  LinearAddresses addresses(function, variables, globals);
  SharedMerger loads(program, false);
  SharedMerger stores(program, true);
  const ControlFlow flow = build_control_flow(function);
  int previous_block = -1;
  int order = 0;
  for (size_t n = 0; n < flow.items.size(); ++n) {
    if (flow.items[n].skip_branch) continue;
    const int instruction = flow.items[n].instruction;
    const Instruction& i = function.body[static_cast<size_t>(instruction)];
    if (flow.block_of_item[n] != previous_block) {
      loads.flush();
      stores.flush();
      addresses.enter_block();
      previous_block = flow.block_of_item[n];
    }
    if (stops_loads(i)) loads.flush();
    if (stops_stores(i)) stores.flush();
    if (const auto it = site_of.find(instruction); it != site_of.end()) {
      AccessSite& site = program.sites[static_cast<size_t>(it->second)];
      if (mergeable(i, site)) {
        const bool store = site.kind == AccessKind::kStore;
        const Operand& where = i.operands[store ? 0 : 1];
        const LinearAddress sum = addresses.of_address(where);
        Operand base = where;
        base.kind = where.register_index >= 0 ? Operand::Kind::kRegister : Operand::Kind::kSymbol;
        KnownBits known = known_bits_of(base, bits, variables, globals);
        if (where.register_index >= 0) known.value += static_cast<uint64_t>(where.offset);
        // A wide access must be aligned to its width, so the compiler may assume that it is.
        const int own_bits = std::countr_zero(static_cast<unsigned>(site.width_bytes()));
        if (known.count < own_bits) known = {own_bits, 0};
        SharedMerger& merger = store ? stores : loads;
        merger.note_address(it->second, sum.constant);
        const uint32_t live = live_elements(i, site, live_register);
        for (int e = 0; e < site.elements; ++e) {
          if (!((live >> e) & 1u) || sum.constant > kFarthest || sum.constant < -kFarthest)
            continue;
          MergedLoad element;
          element.site = it->second;
          element.order = order;
          element.constant = sum.constant + e * site.element_bytes;
          element.window = known.count >= 4 ? 16 : known.count == 3 ? 8 : 0;
          if (element.window > 0) {
            element.residue =
                static_cast<int>((known.value + static_cast<uint64_t>(e * site.element_bytes)) %
                                 static_cast<uint64_t>(element.window));
          }
          merger.add({sum.value, sum.coefficient, site.element_bytes}, element);
        }
        ++order;
      }
    }
    addresses.step(i);
  }
  loads.flush();
  stores.flush();
}

}  // namespace warpshop::emulator
