#include "whole_chip/ptx_code.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "predict/texels.h"
#include "ptx/operand_registers.h"
#include "timing/generations.h"
#include "whole_chip/ptx_costs.h"
#include "whole_chip/reconvergence.h"

namespace warpshop::timing {
namespace {

using ptx::Instruction;

bool is_shared(const Instruction& i) {
  return has_modifier(i, "shared") || has_modifier(i, "shared::cta");
}

// Registers that hold shared-memory addresses, i.e. that are derived from a shared variable's name.
std::vector<bool> shared_addresses(const ptx::Module& module, const ptx::Function& function) {
  const auto is_shared_name = [&](const ptx::Operand& o) {
    if (o.symbol.table == ptx::Symbol::Table::kModuleVariable) {
      return module.variables[static_cast<size_t>(o.symbol.index)].space == ptx::Space::kShared;
    }
    if (o.symbol.table == ptx::Symbol::Table::kLocalVariable) {
      return function.variables[static_cast<size_t>(o.symbol.index)].space == ptx::Space::kShared;
    }
    return false;
  };
  static const std::set<std::string_view> kKeeps = {"mov", "add", "sub", "cvta", "mad", "selp"};
  std::vector<bool> shared(function.registers.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& i : function.body) {
      if (!kKeeps.contains(i.opcode)) continue;
      bool from_shared = false;
      for (const ptx::Operand& o : i.operands) from_shared = from_shared || is_shared_name(o);
      for (int r : ptx::read_registers(i))
        from_shared = from_shared || shared[static_cast<size_t>(r)];
      if (!from_shared) continue;
      for (int r : ptx::written_registers(i)) {
        if (shared[static_cast<size_t>(r)]) continue;
        shared[static_cast<size_t>(r)] = true;
        changed = true;
      }
    }
  }
  // Whatever is added to such an address has its width as well.
  for (const Instruction& i : function.body) {
    if (i.opcode != "add") continue;
    const std::vector<int> written = ptx::written_registers(i);
    if (written.empty() || !shared[static_cast<size_t>(written[0])]) continue;
    for (int r : ptx::read_registers(i)) shared[static_cast<size_t>(r)] = true;
  }
  return shared;
}

// Ordering constraints as in load_waits.cc, restricted to what a back end of any era may reorder.
enum class BackEndOrder { kFree, kLoad, kStore, kSharedLoad, kSharedStore, kFence };
BackEndOrder back_end_order(const Instruction& i) {
  static const std::set<std::string_view> kFences = {"bar", "barrier", "membar", "fence", "call",
                                                     "bra", "brx",     "ret",    "exit",  "trap"};
  if (kFences.contains(i.opcode)) return BackEndOrder::kFence;
  const bool stores =
      i.opcode == "st" || i.opcode == "red" || i.opcode == "atom" || i.opcode == "sust";
  if (is_shared(i)) return stores ? BackEndOrder::kSharedStore : BackEndOrder::kSharedLoad;
  if (stores) return BackEndOrder::kStore;
  const bool reads = i.opcode == "ld" && !has_modifier(i, "param") && !has_modifier(i, "const");
  return reads && !has_modifier(i, "nc") ? BackEndOrder::kLoad : BackEndOrder::kFree;
}

bool brings_later(const PtxOp& op) {
  return op.kind == PtxOp::Kind::kGlobalLoad || op.kind == PtxOp::Kind::kTexture;
}

// The order in which a back end issues a basic block: an instruction that waits for a load lets
// later ones go first if all their sources are ready.
std::vector<int> issue_order(const std::vector<const Instruction*>& body,
                             const std::vector<PtxOp>& ops) {
  enum class State : uint8_t { kToDo, kOnTheWay, kDone };
  const size_t count = body.size();
  std::vector<State> state(count, State::kToDo);
  std::vector<int> order;
  std::set<int> on_the_way;  // registers
  while (order.size() < count) {
    std::set<int> to_be_written;
    std::set<int> to_be_read;
    std::array<bool, 6> waits{};  // by BackEndOrder: kinds of the instructions left waiting
    bool any = false;
    for (size_t n = 0; n < count; ++n) {
      if (state[n] != State::kToDo) continue;
      const PtxOp& op = ops[n];
      const auto touches = [](const std::vector<int>& registers, const std::set<int>& set) {
        return std::any_of(registers.begin(), registers.end(),
                           [&](int r) { return set.contains(r); });
      };
      const BackEndOrder kind = back_end_order(*body[n]);
      const auto left = [&](BackEndOrder o) { return waits[static_cast<size_t>(o)]; };
      bool stays = touches(op.reads, to_be_written) || touches(op.writes, to_be_written) ||
                   touches(op.writes, to_be_read) || touches(op.reads, on_the_way) ||
                   touches(op.writes, on_the_way);
      stays = stays || (left(BackEndOrder::kFence) && kind != BackEndOrder::kFree);
      switch (kind) {
        case BackEndOrder::kFree:
          break;
        case BackEndOrder::kLoad:
          stays = stays || left(BackEndOrder::kStore);
          break;
        case BackEndOrder::kStore:
          stays = stays || left(BackEndOrder::kLoad) || left(BackEndOrder::kStore);
          break;
        case BackEndOrder::kSharedLoad:
          stays = stays || left(BackEndOrder::kSharedStore);
          break;
        case BackEndOrder::kSharedStore:
          stays = stays || left(BackEndOrder::kSharedLoad) || left(BackEndOrder::kSharedStore);
          break;
        case BackEndOrder::kFence:
          stays = stays || std::find(waits.begin(), waits.end(), true) != waits.end() ||
                  !to_be_written.empty();
          break;
      }
      if (stays) {
        to_be_written.insert(op.writes.begin(), op.writes.end());
        to_be_read.insert(op.reads.begin(), op.reads.end());
        waits[static_cast<size_t>(kind)] = true;
        continue;
      }
      state[n] = State::kDone;
      order.push_back(static_cast<int>(n));
      any = true;
      if (brings_later(op)) on_the_way.insert(op.writes.begin(), op.writes.end());
    }
    if (!any) on_the_way.clear();  // the warp waits
  }
  return order;
}

struct Site {
  int index = -1;
  const emulator::AccessSite* site = nullptr;
};

PtxOp make_op(const Instruction& i, const PtxCost& cost, const Site& site) {
  PtxOp op;
  op.unit = cost.unit;
  op.slots = static_cast<uint8_t>(cost.slots);
  op.ptx_line = i.ptx_line;
  op.reads = ptx::read_registers(i);
  op.writes = ptx::written_registers(i);
  if (i.opcode == "bar" || i.opcode == "barrier") op.kind = PtxOp::Kind::kBarrier;
  if (cost.unit == Unit::kTexture) op.kind = PtxOp::Kind::kTexture;
  if (cost.unit != Unit::kMemory) return op;
  op.site = site.index;
  if (is_shared(i)) {
    op.kind = PtxOp::Kind::kShared;
  } else if (i.opcode == "st") {
    op.kind = PtxOp::Kind::kGlobalStore;
  } else if (i.opcode == "atom" || i.opcode == "red") {
    op.kind = PtxOp::Kind::kGlobalAtomic;
  } else {
    op.kind = PtxOp::Kind::kGlobalLoad;
  }
  return op;
}

// Back ends for 3.x merge a wide product and the address it is added to into one multiply-add.
void fold_wide_products(const std::vector<const Instruction*>& body, std::vector<PtxOp>& ops,
                        const std::vector<int>& readers) {
  for (size_t n = 0; n < body.size(); ++n) {
    if (body[n]->opcode != "mul" || !has_modifier(*body[n], "wide") || ops[n].slots == 0 ||
        ops[n].writes.empty())
      continue;
    const int product = ops[n].writes[0];
    if (readers[static_cast<size_t>(product)] != 1) continue;
    for (size_t m = n + 1; m < body.size(); ++m) {
      if (body[m]->opcode != "add" || ops[m].slots != 2) continue;
      if (std::find(ops[m].reads.begin(), ops[m].reads.end(), product) == ops[m].reads.end())
        continue;
      ops[m].unit = Unit::kMul;
      ops[n].slots = 0;
      break;
    }
  }
}

// 1.x has a 24-bit multiplication, available as __mul24. Today's compiler emits it as a product of
// numbers whose upper bits are cut off first; fold these cuts away again.
void fold_cuts_to_24_bits(const std::vector<const Instruction*>& body, std::vector<PtxOp>& ops,
                          const std::vector<int>& readers,
                          const std::vector<bool>& only_multiplied) {
  const auto constant = [](const Instruction& i) -> uint64_t {
    return i.operands.size() == 3 && i.operands[2].kind == ptx::Operand::Kind::kInteger
               ? i.operands[2].bits
               : 0;
  };
  for (size_t n = 0; n < body.size(); ++n) {
    const Instruction& i = *body[n];
    if (ops[n].writes.size() != 1 || !only_multiplied[static_cast<size_t>(ops[n].writes[0])])
      continue;
    if (i.opcode == "and" && constant(i) == 0xffffff) ops[n].slots = 0;
    if (i.opcode != "shr" || constant(i) != 8) continue;
    for (size_t m = 0; m < n; ++m) {
      const bool pair = body[m]->opcode == "shl" && constant(*body[m]) == 8 &&
                        ops[m].writes == ops[n].reads &&
                        readers[static_cast<size_t>(ops[m].writes[0])] == 1;
      if (pair) ops[m].slots = ops[n].slots = 0;
    }
  }
}

// 1.x: arithmetic can take one operand directly from shared memory. A load used by a single
// instruction of the block becomes such an operand, unless shared memory may have changed in
// between.
void fold_shared_operands(const std::vector<const Instruction*>& body, std::vector<PtxOp>& ops,
                          const std::vector<int>& readers) {
  for (size_t n = 0; n < body.size(); ++n) {
    PtxOp& load = ops[n];
    const bool whole_word = body[n]->opcode == "ld" && is_shared(*body[n]) &&
                            load.writes.size() == 1 &&
                            (has_modifier(*body[n], "f32") || has_modifier(*body[n], "u32") ||
                             has_modifier(*body[n], "s32") || has_modifier(*body[n], "b32"));
    if (!whole_word || readers[static_cast<size_t>(load.writes[0])] != 1) continue;
    for (size_t m = n + 1; m < body.size(); ++m) {
      const BackEndOrder order = back_end_order(*body[m]);
      if (order == BackEndOrder::kSharedStore || order == BackEndOrder::kFence) break;
      PtxOp& user = ops[m];
      if (std::find(user.reads.begin(), user.reads.end(), load.writes[0]) == user.reads.end())
        continue;
      const bool takes =
          user.kind == PtxOp::Kind::kArithmetic && user.slots == 1 && user.operand_site < 0 &&
          (user.unit == Unit::kFp32 || user.unit == Unit::kInt || user.unit == Unit::kMul);
      if (takes) {
        user.operand_site = load.site;
        load.slots = 0;
        load.kind = PtxOp::Kind::kArithmetic;
        load.site = -1;
      }
      break;
    }
  }
}

// 1.x accesses shared memory through separate address registers, so a computed address is first
// copied to one. The copy can also shift, so an index that is merely shifted costs nothing extra.
void add_address_copies(const std::vector<const Instruction*>& body, std::vector<PtxOp>& ops,
                        const std::vector<bool>& shared_bases) {
  static const std::set<std::string_view> kArithmetic = {"add", "sub", "mad", "or", "xor", "and"};
  for (size_t n = 0; n < body.size(); ++n) {
    if (ops[n].slots == 0 || ops[n].writes.size() != 1 || !kArithmetic.contains(body[n]->opcode))
      continue;
    if (shared_bases[static_cast<size_t>(ops[n].writes[0])]) ++ops[n].slots;
  }
}

// 1.x returns texels in the registers of the coordinates, so coordinates needed later are copied
// first.
void add_coordinate_copies(const std::vector<const Instruction*>& body, std::vector<PtxOp>& ops,
                           const std::vector<int>& readers) {
  std::map<int, int> left;  // by register: readers still to come
  for (size_t n = 0; n < body.size(); ++n) {
    for (int r : ops[n].reads) --left.try_emplace(r, readers[static_cast<size_t>(r)]).first->second;
    if (ops[n].kind != PtxOp::Kind::kTexture || body[n]->operands.size() < 2) continue;
    for (const ptx::Operand& part : body[n]->operands[1].elements) {
      const auto copy = [&](const ptx::Operand& o) {
        if (o.register_index >= 0 && left[o.register_index] > 0) ++ops[n].slots;
      };
      copy(part);
      for (const ptx::Operand& coordinate : part.elements) copy(coordinate);
    }
  }
}

// Registers that copy values 1.x keeps in shared memory: parameters and grid constants.
std::vector<bool> kept_in_shared_memory(const ptx::Function& function) {
  std::vector<bool> kept(function.registers.size(), false);
  for (const Instruction& i : function.body) {
    if (i.operands.size() != 2 || i.operands[0].register_index < 0) continue;
    const ptx::Operand& from = i.operands[1];
    const bool parameter = i.opcode == "ld" && has_modifier(i, "param");
    const bool number =
        i.opcode == "mov" && from.kind == ptx::Operand::Kind::kSpecial &&
        (from.text.find("ctaid") != std::string::npos || from.text.starts_with("%ntid"));
    const bool same = i.opcode == "cvta" && from.register_index >= 0 &&
                      kept[static_cast<size_t>(from.register_index)];
    if (parameter || number || same) kept[static_cast<size_t>(i.operands[0].register_index)] = true;
  }
  return kept;
}

// A 1.x instruction can have one operand in shared memory, the first; a second one must be copied
// to a register.
void add_operand_copies(std::vector<PtxOp>& ops, std::vector<bool> kept) {
  for (PtxOp& op : ops) {
    if (op.slots == 0) {  // a value cut to 24 bits is the same operand
      const bool same =
          op.reads.size() == 1 && op.writes.size() == 1 && kept[static_cast<size_t>(op.reads[0])];
      if (same) kept[static_cast<size_t>(op.writes[0])] = true;
      continue;
    }
    if (op.kind != PtxOp::Kind::kArithmetic) continue;
    const std::set<int> operands(op.reads.begin(), op.reads.end());
    const auto in_shared = std::count_if(operands.begin(), operands.end(),
                                         [&](int r) { return kept[static_cast<size_t>(r)]; });
    if (in_shared > 1) op.slots = static_cast<uint8_t>(op.slots + in_shared - 1);
  }
}

// On 1.x a comparison that also controls a branch is made twice: for the branch and as a number
// (ptx_costs.cc).
void add_second_comparisons(const std::vector<const Instruction*>& body, std::vector<PtxOp>& ops,
                            const ptx::Function& function, const std::vector<int>& readers) {
  for (size_t n = 0; n < body.size(); ++n) {
    if (ops[n].slots == 0 || !is_predicate_logic(*body[n])) continue;
    for (const int r : ops[n].reads) {
      const auto at = static_cast<size_t>(r);
      if (function.registers[at].type == ptx::Type::kPred && readers[at] > 1) ++ops[n].slots;
    }
  }
}

// Registers that are the base of a shared-memory access.
std::vector<bool> bases_of_shared_accesses(const ptx::Function& function) {
  std::vector<bool> bases(function.registers.size(), false);
  for (const Instruction& i : function.body) {
    if (!is_shared(i)) continue;
    for (const ptx::Operand& o : i.operands) {
      if (o.kind == ptx::Operand::Kind::kAddress && o.register_index >= 0)
        bases[static_cast<size_t>(o.register_index)] = true;
    }
  }
  return bases;
}

}  // namespace

PtxCode make_ptx_code(const emulator::Program& program, const WholeChipFigures& chip) {
  PtxCode code;
  const bool first = is_first_generation(chip.capability);
  const FetchSites fetches(program);
  const ptx::Module& module = program.module();
  std::map<std::pair<int, int>, int> site_at;
  const std::vector<emulator::AccessSite>& sites = program.access_sites();
  for (size_t s = 0; s < sites.size(); ++s)
    site_at.emplace(std::pair{sites[s].function, sites[s].instruction}, static_cast<int>(s));

  struct FunctionFacts {
    int first_register = 0;
    std::vector<bool> shared;
    std::vector<bool> shared_bases;
    std::vector<int> readers;
    std::vector<int> bits;
    std::vector<bool> only_multiplied;
    std::vector<bool> kept;
    ReconvergencePoints reconvergence;
  };
  std::map<int, FunctionFacts> facts;
  const auto facts_of = [&](int number) -> const FunctionFacts& {
    const auto [at, is_new] = facts.try_emplace(number);
    if (is_new) {
      const ptx::Function& f = module.functions[static_cast<size_t>(number)];
      at->second.first_register = code.registers;
      code.registers += static_cast<int>(f.registers.size());
      at->second.shared = shared_addresses(module, f);
      at->second.shared_bases = bases_of_shared_accesses(f);
      at->second.bits = value_bits(f);
      at->second.readers.assign(f.registers.size(), 0);
      at->second.only_multiplied.assign(f.registers.size(), true);
      if (first) {
        at->second.kept = kept_in_shared_memory(f);
        const auto& bits = at->second.bits;
        at->second.reconvergence = reconvergence_points(f, [&](const Instruction& i) {
          return cost_of(i, chip.capability, false, bits).slots;
        });
      }
      for (const Instruction& i : f.body) {
        const bool multiplies = i.opcode == "mul" || i.opcode == "mad";
        for (int r : ptx::read_registers(i)) {
          ++at->second.readers[static_cast<size_t>(r)];
          if (!multiplies) at->second.only_multiplied[static_cast<size_t>(r)] = false;
        }
      }
    }
    return at->second;
  };

  for (const emulator::Program::BasicBlock& block : program.basic_blocks()) {
    const ptx::Function& f = module.functions[static_cast<size_t>(block.function)];
    const FunctionFacts& known = facts_of(block.function);
    std::vector<const Instruction*> body;
    std::vector<PtxOp> ops;
    for (int n : block.instructions) {
      const Instruction& i = f.body[static_cast<size_t>(n)];
      const std::vector<int> written = ptx::written_registers(i);
      const bool shared = !written.empty() && known.shared[static_cast<size_t>(written[0])];
      Site site;
      if (const auto found = site_at.find({block.function, n}); found != site_at.end()) {
        site = {found->second, &sites[static_cast<size_t>(found->second)]};
      }
      PtxCost cost = cost_of(i, chip.capability, shared, known.bits);
      const bool vanishes =
          !first && site.site != nullptr && (site.site->dropped || site.site->leader >= 0);
      if (vanishes) cost.slots = 0;
      PtxOp op = make_op(i, cost, site);
      if (vanishes) op.kind = PtxOp::Kind::kArithmetic;
      if (op.kind == PtxOp::Kind::kTexture) op.site = fetches.find(block.function, n);
      if (first && op.kind == PtxOp::Kind::kShared && site.site != nullptr) {
        // one word at a time
        op.slots = static_cast<uint8_t>(std::max(1, site.site->width_bytes() / 4));
      }
      body.push_back(&i);
      ops.push_back(std::move(op));
    }
    if (first) {
      fold_cuts_to_24_bits(body, ops, known.readers, known.only_multiplied);
      add_address_copies(body, ops, known.shared_bases);
      add_coordinate_copies(body, ops, known.readers);
      add_operand_copies(ops, known.kept);
      add_second_comparisons(body, ops, f, known.readers);
    }
    if (chip.shared_operand > 0) fold_shared_operands(body, ops, known.readers);
    if (!first) fold_wide_products(body, ops, known.readers);
    const int start = static_cast<int>(code.ops.size());
    const auto control = [&](const std::set<int>& places) {
      if (!block.instructions.empty() && places.contains(block.instructions.back()))
        code.ops.push_back({});
    };
    control(known.reconvergence.prepared);
    control(known.reconvergence.arrived);
    for (int n : issue_order(body, ops)) {
      PtxOp op = std::move(ops[static_cast<size_t>(n)]);
      for (int& r : op.reads) r += known.first_register;
      for (int& r : op.writes) r += known.first_register;
      code.ops.push_back(std::move(op));
    }
    code.blocks.emplace_back(start, static_cast<int>(code.ops.size()));
  }
  return code;
}

}  // namespace warpshop::timing
