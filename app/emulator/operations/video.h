// Video instructions: operate on 32-bit integers, or on two halves or four bytes of them, selected
// from the operands, with a second operation on the result. PTX ISA §9.7.18 "Scalar Video
// Instructions", "SIMD Video Instructions".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "state/micro_op.h"
#include "state/video_form.h"

namespace warpshop::emulator::video {

// "vadd", "vset4", …: the operation and the number of parts; empty for other opcodes.
struct Opcode {
  Operation operation = Operation::kAdd;
  int lanes = 1;
};
std::optional<Opcode> find_operation(std::string_view opcode);

uint32_t apply(const Form& form, uint32_t a, uint32_t b, uint32_t c);
// d, a, b, c: 32-bit registers; imm: index in DecodedProgram::video_forms.
const MicroOp* execute(Warp& warp, const MicroOp* op);

}  // namespace warpshop::emulator::video
