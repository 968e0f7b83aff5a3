// Layout of a module's variables: device addresses of .global, constant memory, shared memory.
#include <algorithm>
#include <cstring>
#include <set>

#include "decode/decoder.h"

namespace warpshop::emulator {
namespace {

uint64_t aligned_up(uint64_t value, uint64_t unit) {
  return unit <= 1 ? value : (value + unit - 1) / unit * unit;
}

// Guard space between .global variables, so that overruns are found.
constexpr uint64_t kVariableGuard = 256;

uint64_t address_for(const DecodedProgram& program, const ptx::Symbol& symbol, bool generic) {
  if (symbol.table == ptx::Symbol::Table::kFunction) return address_of_function(symbol.index);
  if (symbol.table != ptx::Symbol::Table::kModuleVariable) return 0;
  const VariablePlace& place = program.variables[static_cast<size_t>(symbol.index)];
  return place.offset + (generic && place.space == ptx::Space::kConst ? kConstWindow : 0);
}

void relocate(const DecodedProgram& program, const ptx::Variable& v, uint8_t* image) {
  for (const ptx::Relocation& r : v.relocations) {
    if (r.offset_bytes + static_cast<uint64_t>(r.size_bytes) > v.size_bytes) continue;
    const uint64_t value =
        (address_for(program, r.target, r.generic) + static_cast<uint64_t>(r.addend)) >>
        r.shift_bits;
    std::memcpy(image + r.offset_bytes, &value, static_cast<size_t>(std::min(r.size_bytes, 8)));
  }
}

void collect(const ptx::Operand& o, std::set<std::pair<int, int>>& used, int function) {
  if (o.symbol.table == ptx::Symbol::Table::kModuleVariable) used.insert({-1, o.symbol.index});
  if (o.symbol.table == ptx::Symbol::Table::kLocalVariable) used.insert({function, o.symbol.index});
  for (const ptx::Operand& e : o.elements) collect(e, used, function);
}

}  // namespace

void lay_out_module(DecodedProgram& program) {
  const ptx::Module& module = *program.module;
  uint64_t global_bytes = 0;
  uint64_t const_bytes = 0;
  for (const ptx::Variable& v : module.variables) {
    VariablePlace place{.space = v.space};
    if (v.space == ptx::Space::kGlobal) {
      global_bytes = aligned_up(global_bytes, std::max<uint64_t>(v.align_bytes, 16));
      place.offset = kModuleGlobals + global_bytes;
      program.global_variables.push_back({readable_name(v.name), global_bytes, v.size_bytes});
      global_bytes += v.size_bytes + kVariableGuard;
    } else if (v.space == ptx::Space::kConst) {
      const_bytes = aligned_up(const_bytes, v.align_bytes);
      place.offset = const_bytes;
      const_bytes += v.size_bytes;
    }
    program.variables.push_back(place);
  }
  program.global_image.assign(global_bytes, 0);
  program.const_image.assign(const_bytes, 0);
  for (size_t n = 0; n < module.variables.size(); ++n) {
    const ptx::Variable& v = module.variables[n];
    const VariablePlace& place = program.variables[n];
    uint8_t* image = nullptr;
    if (v.space == ptx::Space::kGlobal)
      image = program.global_image.data() + (place.offset - kModuleGlobals);
    if (v.space == ptx::Space::kConst) image = program.const_image.data() + place.offset;
    if (image == nullptr) continue;
    if (!v.initial.empty())
      std::memcpy(image, v.initial.data(), std::min<size_t>(v.initial.size(), v.size_bytes));
    relocate(program, v, image);
  }
}

SharedLayout lay_out_shared(const ptx::Module& module, const std::vector<int>& reached,
                            DecodedProgram& program) {
  std::set<std::pair<int, int>> used;
  for (int f : reached) {
    for (const ptx::Instruction& i : module.functions[static_cast<size_t>(f)].body) {
      for (const ptx::Operand& o : i.operands) collect(o, used, f);
    }
  }
  struct Candidate {
    std::pair<int, int> key;
    const ptx::Variable* variable;
  };
  std::vector<Candidate> all;
  for (size_t n = 0; n < module.variables.size(); ++n)
    all.push_back({{-1, static_cast<int>(n)}, &module.variables[n]});
  for (int f : reached) {
    const auto& variables = module.functions[static_cast<size_t>(f)].variables;
    for (size_t n = 0; n < variables.size(); ++n)
      all.push_back({{f, static_cast<int>(n)}, &variables[n]});
  }
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.variable->ptx_line < b.variable->ptx_line;
  });
  SharedLayout layout;
  std::vector<Candidate> dynamic;
  for (const Candidate& c : all) {
    if (c.variable->space != ptx::Space::kShared || !used.contains(c.key)) continue;
    if (c.variable->is_extern || c.variable->is_flexible) {
      dynamic.push_back(c);
      continue;
    }
    layout.static_bytes =
        static_cast<uint32_t>(aligned_up(layout.static_bytes, c.variable->align_bytes));
    layout.offset[c.key] = layout.static_bytes;
    program.shared_variables.push_back({readable_name(c.variable->name), layout.static_bytes,
                                        static_cast<uint32_t>(c.variable->size_bytes)});
    layout.static_bytes += static_cast<uint32_t>(c.variable->size_bytes);
  }
  program.static_shared_bytes = layout.static_bytes;
  // All dynamic arrays start together, at the strictest of their alignments.
  uint64_t alignment = 16;
  std::set<std::string> dynamic_names;
  for (const Candidate& c : dynamic) {
    alignment = std::max<uint64_t>(alignment, c.variable->align_bytes);
    dynamic_names.insert(readable_name(c.variable->name));
  }
  const auto dynamic_base = static_cast<uint32_t>(aligned_up(layout.static_bytes, alignment));
  for (const Candidate& c : dynamic) layout.offset[c.key] = dynamic_base;
  if (dynamic_names.size() == 1) program.dynamic_shared_name = *dynamic_names.begin();
  program.shared_offset_of_function[-1].assign(module.variables.size(), ~uint64_t{0});
  for (int f : reached) {
    program.shared_offset_of_function[f].assign(
        module.functions[static_cast<size_t>(f)].variables.size(), ~uint64_t{0});
  }
  for (const auto& [key, offset] : layout.offset) {
    program.shared_offset_of_function[key.first][static_cast<size_t>(key.second)] = offset;
  }
  program.dynamic_shared_base = dynamic_base;
  return layout;
}

// Functions whose address is stored as a number: an indirect call may call any of them.
static std::vector<int> functions_with_address(const ptx::Module& module) {
  std::set<int> found;
  for (const ptx::Variable& v : module.variables) {
    for (const ptx::Relocation& r : v.relocations) {
      if (r.target.table == ptx::Symbol::Table::kFunction) found.insert(r.target.index);
    }
  }
  for (const ptx::Function& f : module.functions) {
    for (const ptx::Instruction& i : f.body) {
      if (i.opcode == "call") continue;
      for (const ptx::Operand& o : i.operands) {
        if (o.symbol.table == ptx::Symbol::Table::kFunction) found.insert(o.symbol.index);
      }
    }
  }
  return {found.begin(), found.end()};
}

static bool calls_indirectly(const ptx::Function& f) {
  return std::any_of(f.body.begin(), f.body.end(), [](const ptx::Instruction& i) {
    return i.opcode == "call" &&
           std::any_of(i.operands.begin(), i.operands.end(), [](const ptx::Operand& o) {
             return o.kind == ptx::Operand::Kind::kRegister;
           });
  });
}

std::vector<int> reached_functions(const ptx::Module& module, int kernel) {
  std::vector<int> reached = {kernel};
  std::vector<bool> known(module.functions.size(), false);
  known[static_cast<size_t>(kernel)] = true;
  for (size_t n = 0; n < reached.size(); ++n) {
    const ptx::Function& f = module.functions[static_cast<size_t>(reached[n])];
    auto reach = [&](int index) {
      if (index < 0 || known[static_cast<size_t>(index)]) return;
      known[static_cast<size_t>(index)] = true;
      if (!module.functions[static_cast<size_t>(index)].is_declaration) reached.push_back(index);
    };
    for (const ptx::Instruction& i : f.body) {
      for (const ptx::Operand& o : i.operands) {
        if (o.symbol.table == ptx::Symbol::Table::kFunction) reach(o.symbol.index);
      }
    }
    if (calls_indirectly(f)) {
      for (int target : functions_with_address(module)) {
        if (!module.functions[static_cast<size_t>(target)].is_entry) reach(target);
      }
    }
  }
  return reached;
}

}  // namespace warpshop::emulator
