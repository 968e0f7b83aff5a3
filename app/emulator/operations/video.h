// Video instructions: operate on 32-bit integers, or on two halves or four bytes of them, selected
// from the operands, with a second operation on the result. PTX ISA §9.7.18 "Scalar Video
// Instructions", "SIMD Video Instructions".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "state/micro_op.h"

namespace warpshop::emulator::video {

enum class Operation : uint8_t {
  kAdd,
  kSub,
  kAbsDiff,
  kMin,
  kMax,
  kAverage,
  kShl,
  kShr,
  kMad,
  kSet
};
enum class Second : uint8_t { kNone, kMerge, kAdd, kMin, kMax };
enum class Compare : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };

struct Form {
  Operation operation = Operation::kAdd;
  Second second = Second::kNone;
  Compare compare = Compare::kEq;
  bool signed_d = false;
  bool signed_a = false;
  bool signed_b = false;
  bool saturate = false;
  bool wrap = false;            // shifts: the amount modulo 32; otherwise clamped to 32
  bool negate_product = false;  // vmad: -a or -b
  bool negate_c = false;
  bool plus_one = false;  // vmad.po
  int shift = 0;          // vmad.shr7, .shr15
  int lanes = 1;          // 1, 2 or 4 parts
  // Scalar: width and first bit of the parts read from a and b, and of the part of d that is
  // written (32: all of it).
  int bits_a = 32, start_a = 0;
  int bits_b = 32, start_b = 0;
  int bits_d = 32, start_d = 0;
  // SIMD: for each part of the result, the source part (those of a, then those of b); and the parts
  // that are written.
  uint8_t from_a[4] = {0, 1, 2, 3};
  uint8_t from_b[4] = {4, 5, 6, 7};
  uint8_t mask = 0xf;
};

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
