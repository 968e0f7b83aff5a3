#include "decode/polling.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "analysis/liveness.h"
#include "decode/decoder.h"

namespace warpshop::emulator {
namespace {

bool has_any(const ptx::Instruction& i, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return has_modifier(i, name); });
}

enum class Role { kNothing, kPolls, kChanges };

Role role_of(const ptx::Module& module, const ptx::Instruction& i, const std::vector<bool>& read) {
  const ptx::Space space = space_of(i);
  if (i.opcode == "st")
    return space == ptx::Space::kLocal || space == ptx::Space::kParam ? Role::kNothing
                                                                      : Role::kChanges;
  if (i.opcode == "red" || i.opcode == "sust" || i.opcode == "sured" || i.opcode == "stmatrix" ||
      i.opcode == "cp") {
    return Role::kChanges;
  }
  // Blocks of the module's functions are checked themselves; other functions are malloc, printf
  // etc.
  if (i.opcode == "call") {
    const bool built_in =
        std::any_of(i.operands.begin(), i.operands.end(), [&](const ptx::Operand& o) {
          return o.symbol.table == ptx::Symbol::Table::kFunction &&
                 module.functions[static_cast<size_t>(o.symbol.index)].is_declaration;
        });
    return built_in ? Role::kChanges : Role::kNothing;
  }
  if (i.opcode == "atom") {
    const bool used = !i.operands.empty() && defines_live(i.operands[0], read);
    return used ? Role::kPolls : Role::kChanges;
  }
  if (i.opcode == "ld")
    return has_any(i, {"volatile", "relaxed", "acquire", "mmio"}) ? Role::kPolls : Role::kNothing;
  if (i.opcode == "mbarrier")
    return has_any(i, {"test_wait", "try_wait"}) ? Role::kPolls : Role::kChanges;
  if (i.opcode == "membar" || i.opcode == "fence" || i.opcode == "nanosleep") return Role::kPolls;
  return Role::kNothing;
}

}  // namespace

void find_polling(DecodedProgram& program) {
  std::vector<std::vector<bool>> read;
  for (const DecodedFunction& function : program.functions)
    read.push_back(registers_read(*function.source));
  program.polling.assign(program.block_instructions.size(), {});
  for (size_t b = 0; b < program.polling.size(); ++b) {
    const DecodedProgram::BlockOfInstructions& block = program.block_instructions[b];
    const auto function = static_cast<size_t>(block.function);
    for (int i : block.instructions) {
      const Role role =
          role_of(*program.module, program.functions[function].source->body[static_cast<size_t>(i)],
                  read[function]);
      if (role == Role::kPolls) program.polling[b].polls = true;
      if (role == Role::kChanges) program.polling[b].changes = true;
    }
    program.may_poll =
        program.may_poll || (program.polling[b].polls && !program.polling[b].changes);
  }
}

}  // namespace warpshop::emulator
