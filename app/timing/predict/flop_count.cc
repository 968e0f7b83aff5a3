#include "predict/flop_count.h"

#include <algorithm>
#include <bit>
#include <string_view>

namespace warpshop::timing {

int flop_of(const ptx::Instruction& instruction) {
  const auto typed = [&](std::string_view type) { return has_modifier(instruction, type); };
  const bool packed = typed("f16x2") || typed("bf16x2") || typed("f32x2");
  if (!packed && !typed("f32") && !typed("f64") && !typed("f16") && !typed("bf16")) return 0;
  const std::string_view op = instruction.opcode;
  const int lanes = packed ? 2 : 1;
  if (op == "fma" || op == "mad") return 2 * lanes;
  constexpr std::string_view kOne[] = {"add",   "sub", "mul", "div", "rcp", "sqrt",
                                       "rsqrt", "sin", "cos", "lg2", "ex2", "tanh"};
  return std::find(std::begin(kOne), std::end(kOne), op) != std::end(kOne) ? lanes : 0;
}

FlopCount::FlopCount(const emulator::Program& program) {
  for (const emulator::Program::BasicBlock& block : program.basic_blocks()) {
    const auto& body = program.module().functions[static_cast<size_t>(block.function)].body;
    int& sum = per_lane_.emplace_back(0);
    for (const int i : block.instructions) sum += flop_of(body[static_cast<size_t>(i)]);
  }
}

double FlopCount::of(uint32_t basic_block, uint32_t active_mask) const {
  return basic_block < per_lane_.size() ? per_lane_[basic_block] * std::popcount(active_mask) : 0;
}

}  // namespace warpshop::timing
