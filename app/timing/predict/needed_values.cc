#include "predict/needed_values.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "ptx/operand_registers.h"

namespace warpshop::timing {
namespace {

using emulator::Wanted;
using ptx::Instruction;
using ptx::Operand;

enum class Role {
  kComputes,  // its results depend on its operands, and on nothing else
  kProduct,   // of matrices, in registers
  kWarpgroupProduct,
  kLoad,
  kMatrixLoad,
  kStore,
  kMatrixStore,
  kShuffle,
  kFetch,
  kAsyncCopy,
  kControl,  // uses what it reads, but neither reads nor writes values in memory
  kOther,    // may do anything with what it reads and with memory
};

Role role_of(const Instruction& i) {
  static const std::set<std::string_view> kComputing = {
      "abs",   "add",      "and",   "bfe",   "bfi",   "bfind", "bmsk", "brev",  "clz",
      "cnot",  "copysign", "cos",   "cvt",   "cvta",  "div",   "ex2",  "fma",   "lg2",
      "lop3",  "mad",      "max",   "min",   "mov",   "mul",   "neg",  "not",   "or",
      "popc",  "prmt",     "rcp",   "rem",   "rsqrt", "sad",   "selp", "set",   "setp",
      "shf",   "shl",      "shr",   "sin",   "slct",  "sqrt",  "sub",  "szext", "tanh",
      "testp", "xor",      "mul24", "mad24", "dp2a",  "dp4a"};
  static const std::set<std::string_view> kControlling = {
      "bra",        "brx",        "ret",         "exit",  "trap",
      "bar",        "barrier",    "membar",      "fence", "vote",
      "match",      "activemask", "redux",       "elect", "nanosleep",
      "prefetch",   "prefetchu",  "txq",         "suq",   "griddepcontrol",
      "setmaxnreg", "isspacep",   "createpolicy"};
  const std::string_view name = i.opcode;
  // The carry is no register.
  if (kComputing.contains(name)) return has_modifier(i, "cc") ? Role::kControl : Role::kComputes;
  if (name == "addc" || name == "subc" || name == "madc") return Role::kControl;
  if (kControlling.contains(name)) return Role::kControl;
  if (name == "mma") return Role::kProduct;
  if (name == "wmma") {
    if (has_modifier(i, "mma")) return Role::kProduct;
    return has_modifier(i, "load") ? Role::kMatrixLoad : Role::kMatrixStore;
  }
  if (name == "wgmma")
    return has_modifier(i, "mma_async") ? Role::kWarpgroupProduct : Role::kControl;
  if (name == "ld" || name == "ldu") return Role::kLoad;
  if (name == "ldmatrix") return Role::kMatrixLoad;
  if (name == "stmatrix") return Role::kMatrixStore;
  if (name == "st")
    return has_modifier(i, "async") || has_modifier(i, "bulk") ? Role::kOther : Role::kStore;
  if (name == "shfl") return Role::kShuffle;
  if (name == "tex" || name == "tld4") return Role::kFetch;
  if (name == "cp" && has_modifier(i, "async") && !has_modifier(i, "bulk"))
    return i.operands.size() < 2 ? Role::kControl : Role::kAsyncCopy;
  return Role::kOther;
}

class Analysis {
 public:
  explicit Analysis(const ptx::Function& function)
      : body_(function.body),
        needed_(function.registers.size(), false),
        writers_(function.registers.size()) {
    for (size_t n = 0; n < body_.size(); ++n) {
      const Instruction& i = body_[n];
      roles_.push_back(role_of(i));
      if (ptx::writes_first_operand(i))
        ptx::each_register(i.operands[0], [&](size_t r) { writers_[r].push_back(n); });
      const bool stores = roles_[n] == Role::kStore || roles_[n] == Role::kMatrixStore;
      if (stores || roles_[n] == Role::kAsyncCopy) stores_.push_back(n);
    }
  }

  std::vector<Wanted> run() {
    for (size_t n = body_.size(); n-- > 0;) follow(body_[n], roles_[n]);
    while (!again_.empty()) {
      const size_t n = again_.back();
      again_.pop_back();
      follow(body_[n], roles_[n]);
    }
    std::vector<Wanted> out;
    for (size_t n = 0; n < body_.size(); ++n) out.push_back(wanted(body_[n], roles_[n]));
    return out;
  }

 private:
  static constexpr size_t kGlobal = 0, kShared = 1, kLocal = 2;
  using Memory = std::array<bool, 3>;

  static Memory memory_of(const Instruction& i) {
    const auto is = [&](std::string_view space) {
      return std::any_of(i.modifiers.begin(), i.modifiers.end(),
                         [&](const std::string& m) { return m.starts_with(space); });
    };
    Memory out{};
    if (i.opcode == "ldmatrix" || i.opcode == "stmatrix" || is("shared"))
      out[kShared] = true;
    else if (is("global"))
      out[kGlobal] = true;
    else if (is("local"))
      out[kLocal] = true;
    else if (!is("param") && !is("const"))
      out = {true, true, true};
    return out;
  }

  bool is_needed(const Operand& operand) const {
    bool any = false;
    ptx::each_register(operand, [&](size_t r) { any = any || needed_[r]; });
    return any;
  }
  bool result_is_needed(const Instruction& i) const {
    return ptx::writes_first_operand(i) && is_needed(i.operands[0]);
  }
  bool holds_needed(const Instruction& i) const {
    const Memory memory = memory_of(i);
    for (size_t n = 0; n < memory.size(); ++n) {
      if (memory[n] && in_memory_[n]) return true;
    }
    return false;
  }

  void need(size_t r) {
    if (needed_[r]) return;
    needed_[r] = true;
    again_.insert(again_.end(), writers_[r].begin(), writers_[r].end());
  }
  void need(const Operand& operand) {
    ptx::each_register(operand, [&](size_t r) { need(r); });
  }
  void need_memory(const Memory& memory) {
    for (size_t n = 0; n < memory.size(); ++n) {
      if (!memory[n] || in_memory_[n]) continue;
      in_memory_[n] = true;
      again_.insert(again_.end(), stores_.begin(), stores_.end());
    }
  }
  void need_all_read(const Instruction& i) {
    ptx::each_read(i, [&](size_t r) { need(r); });
  }
  void need_guard(const Instruction& i) {
    if (i.guard_register >= 0) need(static_cast<size_t>(i.guard_register));
  }

  void follow(const Instruction& i, Role role) {
    switch (role) {
      case Role::kComputes:
      case Role::kProduct:
        if (result_is_needed(i)) need_all_read(i);
        return;
      case Role::kWarpgroupProduct: {
        need_guard(i);
        const bool result = is_needed(i.operands[0]);
        // Factors and sums are vectors; a single register selects or describes.
        for (size_t n = 1; n < i.operands.size(); ++n) {
          if (result || i.operands[n].kind != Operand::Kind::kVector) need(i.operands[n]);
        }
        if (result) need_memory({false, true, false});
        return;
      }
      case Role::kLoad:
      case Role::kMatrixLoad:
      case Role::kFetch:
        need_all_read(i);
        if (!result_is_needed(i)) return;
        // What is read past the coherent caches is not written meanwhile.
        if (role == Role::kFetch) {
          need_memory({true, false, false});
        } else if (!has_modifier(i, "nc")) {
          need_memory(memory_of(i));
        }
        return;
      case Role::kStore:
      case Role::kMatrixStore:
      case Role::kShuffle: {
        need_guard(i);
        const bool value = role == Role::kShuffle ? result_is_needed(i)
                                                  : holds_needed(i) || has_modifier(i, "param");
        for (size_t n = ptx::reads_first_operand(i) ? 0 : 1; n < i.operands.size(); ++n) {
          if (n != 1 || value) need(i.operands[n]);
        }
        return;
      }
      case Role::kAsyncCopy:
        need_all_read(i);
        if (in_memory_[kShared]) need_memory({true, false, false});
        return;
      case Role::kControl:
        need_all_read(i);
        return;
      case Role::kOther:
        need_all_read(i);
        need_memory({true, true, true});
        return;
    }
  }

  Wanted wanted(const Instruction& i, Role role) const {
    switch (role) {
      case Role::kComputes:
      case Role::kProduct:
        return result_is_needed(i) ? Wanted::kAll : Wanted::kNothing;
      case Role::kLoad: {
        const bool reads = memory_of(i) != Memory{};  // of parameters and constants costs nothing
        return reads && !result_is_needed(i) ? Wanted::kAccess : Wanted::kAll;
      }
      case Role::kFetch:
      case Role::kWarpgroupProduct:
        return result_is_needed(i) ? Wanted::kAll : Wanted::kAccess;
      case Role::kStore:
        return holds_needed(i) || has_modifier(i, "param") ? Wanted::kAll : Wanted::kAccess;
      default:
        return Wanted::kAll;
    }
  }

  const std::vector<Instruction>& body_;
  std::vector<Role> roles_;
  std::vector<bool> needed_;  // by register
  Memory in_memory_{};
  std::vector<std::vector<size_t>> writers_;  // instructions by the register that they write
  std::vector<size_t> stores_;
  std::vector<size_t> again_;  // to be followed again, as what they write is needed
};

}  // namespace

std::vector<Wanted> needed_values(const emulator::Program& program) {
  const std::vector<emulator::Program::BasicBlock> blocks = program.basic_blocks();
  const bool calls = std::any_of(blocks.begin(), blocks.end(), [&](const auto& block) {
    return block.function != blocks.front().function;
  });
  if (calls) return std::vector(program.function().body.size(), Wanted::kAll);
  return Analysis(program.function()).run();
}

}  // namespace warpshop::timing
