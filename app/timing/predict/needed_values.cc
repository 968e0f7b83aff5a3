#include "predict/needed_values.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

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
  Analysis(const emulator::Program& program, const std::vector<int>& buffers)
      : body_(program.function().body),
        buffers_(body_.size(), kAnyBuffer),
        needed_(program.function().registers.size(), false),
        writers_(program.function().registers.size()) {
    for (const emulator::AccessSite& site : program.access_sites()) {
      const auto param = static_cast<size_t>(site.param);
      const auto& function = program.module().functions[static_cast<size_t>(site.function)];
      if (&function == &program.function() && site.param >= 0 && param < buffers.size())
        buffers_[static_cast<size_t>(site.instruction)] = buffers[param];
    }
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
    for (size_t n = body_.size(); n-- > 0;) follow(n);
    while (!again_.empty()) {
      const size_t n = again_.back();
      again_.pop_back();
      follow(n);
    }
    std::vector<Wanted> out;
    for (size_t n = 0; n < body_.size(); ++n) out.push_back(wanted(n));
    return out;
  }

 private:
  static constexpr size_t kGlobal = 0, kShared = 1, kLocal = 2;
  static constexpr int kAnyBuffer = -1;
  // Which memory an access may mean.
  struct Memory {
    std::array<bool, 3> spaces{};
    int buffer = kAnyBuffer;  // of global memory
    bool any() const { return spaces != std::array<bool, 3>{}; }
  };

  Memory memory_of(size_t n) const {
    const Instruction& i = body_[n];
    const auto is = [&](std::string_view space) {
      return std::any_of(i.modifiers.begin(), i.modifiers.end(),
                         [&](const std::string& m) { return m.starts_with(space); });
    };
    Memory out{.spaces = {}, .buffer = buffers_[n]};
    if (i.opcode == "ldmatrix" || i.opcode == "stmatrix" || is("shared"))
      out.spaces[kShared] = true;
    else if (is("global"))
      out.spaces[kGlobal] = true;
    else if (is("local"))
      out.spaces[kLocal] = true;
    else if (!is("param") && !is("const"))
      out.spaces = {true, true, true};
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
  bool holds_needed(size_t n) const {
    const Memory memory = memory_of(n);
    if ((memory.spaces[kShared] && in_shared_) || (memory.spaces[kLocal] && in_local_)) return true;
    if (!memory.spaces[kGlobal] || in_buffers_.empty()) return false;
    return memory.buffer == kAnyBuffer || in_buffers_.contains(kAnyBuffer) ||
           in_buffers_.contains(memory.buffer);
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
    bool more = memory.spaces[kGlobal] && in_buffers_.insert(memory.buffer).second;
    more |= memory.spaces[kShared] && !std::exchange(in_shared_, true);
    more |= memory.spaces[kLocal] && !std::exchange(in_local_, true);
    if (more) again_.insert(again_.end(), stores_.begin(), stores_.end());
  }
  void need_all_read(const Instruction& i) {
    ptx::each_read(i, [&](size_t r) { need(r); });
  }
  void need_guard(const Instruction& i) {
    if (i.guard_register >= 0) need(static_cast<size_t>(i.guard_register));
  }

  void follow(size_t n) {
    const Instruction& i = body_[n];
    switch (roles_[n]) {
      case Role::kComputes:
      case Role::kProduct:
        if (result_is_needed(i)) need_all_read(i);
        return;
      case Role::kWarpgroupProduct: {
        need_guard(i);
        const bool result = is_needed(i.operands[0]);
        // Factors and sums are vectors; a single register selects or describes.
        for (size_t o = 1; o < i.operands.size(); ++o) {
          if (result || i.operands[o].kind != Operand::Kind::kVector) need(i.operands[o]);
        }
        if (result) need_memory({.spaces = {false, true, false}});
        return;
      }
      case Role::kLoad:
      case Role::kMatrixLoad:
      case Role::kFetch:
        need_all_read(i);
        if (!result_is_needed(i)) return;
        // What is read past the coherent caches is not written meanwhile.
        if (roles_[n] == Role::kFetch) {
          need_memory({.spaces = {true, false, false}});
        } else if (!has_modifier(i, "nc")) {
          need_memory(memory_of(n));
        }
        return;
      case Role::kStore:
      case Role::kMatrixStore:
      case Role::kShuffle: {
        need_guard(i);
        const bool value = roles_[n] == Role::kShuffle
                               ? result_is_needed(i)
                               : holds_needed(n) || has_modifier(i, "param");
        for (size_t o = ptx::reads_first_operand(i) ? 0 : 1; o < i.operands.size(); ++o) {
          if (o != 1 || value) need(i.operands[o]);
        }
        return;
      }
      case Role::kAsyncCopy:
        need_all_read(i);
        if (in_shared_) need_memory({.spaces = {true, false, false}});
        return;
      case Role::kControl:
        need_all_read(i);
        return;
      case Role::kOther:
        need_all_read(i);
        need_memory({.spaces = {true, true, true}});
        return;
    }
  }

  Wanted wanted(size_t n) const {
    const Instruction& i = body_[n];
    switch (roles_[n]) {
      case Role::kComputes:
      case Role::kProduct:
        return result_is_needed(i) ? Wanted::kAll : Wanted::kNothing;
      case Role::kLoad: {
        const bool reads = memory_of(n).any();  // of parameters and constants costs nothing
        return reads && !result_is_needed(i) ? Wanted::kAccess : Wanted::kAll;
      }
      case Role::kFetch:
      case Role::kWarpgroupProduct:
        return result_is_needed(i) ? Wanted::kAll : Wanted::kAccess;
      case Role::kStore:
        return holds_needed(n) || has_modifier(i, "param") ? Wanted::kAll : Wanted::kAccess;
      default:
        return Wanted::kAll;
    }
  }

  const std::vector<Instruction>& body_;
  std::vector<int> buffers_;  // by instruction: that it accesses
  std::vector<Role> roles_;
  std::vector<bool> needed_;                   // by register
  bool in_shared_ = false, in_local_ = false;  // values there are needed
  std::set<int> in_buffers_;                   // likewise; with kAnyBuffer: of all
  std::vector<std::vector<size_t>> writers_;   // instructions by the register that they write
  std::vector<size_t> stores_;
  std::vector<size_t> again_;  // to be followed again, as what they write is needed
};

}  // namespace

std::vector<int> buffers_of_arguments(const emulator::LaunchConfig& launch,
                                      const emulator::DeviceMemory& memory) {
  std::vector<int> numbers;
  std::vector<const void*> known;
  for (const emulator::Argument& argument : launch.args) {
    emulator::DevicePointer pointer = 0;
    const emulator::DeviceMemory::Allocation* buffer = nullptr;
    if (argument.bytes.size() == sizeof pointer) {
      std::memcpy(&pointer, argument.bytes.data(), sizeof pointer);
      buffer = memory.find(pointer);
    }
    if (buffer == nullptr) {
      numbers.push_back(-1);
      continue;
    }
    const auto at = std::find(known.begin(), known.end(), buffer);
    numbers.push_back(static_cast<int>(at - known.begin()));
    if (at == known.end()) known.push_back(buffer);
  }
  return numbers;
}

std::vector<Wanted> needed_values(const emulator::Program& program,
                                  const std::vector<int>& buffers) {
  const std::vector<emulator::Program::BasicBlock> blocks = program.basic_blocks();
  const bool calls = std::any_of(blocks.begin(), blocks.end(), [&](const auto& block) {
    return block.function != blocks.front().function;
  });
  if (calls) return std::vector(program.function().body.size(), Wanted::kAll);
  return Analysis(program, buffers).run();
}

}  // namespace warpshop::timing
