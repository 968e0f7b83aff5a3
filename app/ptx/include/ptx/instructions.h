// The instruction table as data: where each form runs and where the manual explains it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "ptx/module.h"

namespace warpshop::ptx {

// What part of an SM executes an instruction. CUDA Programming Guide, "Arithmetic Instructions",
// groups its throughput table in the same way.
enum class Pipe : uint8_t {
  kAlu,       // 32-bit integer addition, logic, shifts, comparison, selection
  kFma,       // f32 addition, multiplication, fma; integer multiplication
  kFp64,      // f64 addition, multiplication, fma
  kHalf,      // 16-bit float arithmetic
  kXu,        // approximated functions, type conversions, counting of bits
  kLsu,       // loads, stores, atomics, shuffles
  kTex,       // textures and surfaces
  kTensor,    // matrix products
  kBranch,    // control flow and barriers
  kSoftware,  // no unit: the back end writes a sequence (div, rem, sqrt.rn, …)
};
std::string_view name_of(Pipe pipe);  // "alu", …

struct InstructionRow {
  std::string_view
      form;  // opcode and modifiers, or an opcode alone for those that are not lane-wise
  std::string_view unit;  // group of handlers in the emulator; empty: decoded by opcode
  Pipe pipe = Pipe::kAlu;
  std::string_view anchor;  // of the manual's page; see url_of
  Type dest = Type::kNone;
  int source_count = 0;
  std::array<Type, 5> sources{};  // Type::kNone inside source_count: a number in the text
};

// The rows of ptx/instructions.def, in its order.
std::span<const InstructionRow> instruction_rows();

// The row of an instruction as written, "ld.global.nc.f32": an exact one, or else that of the
// longest beginning ("ld"). nullptr: not a PTX instruction that we know.
const InstructionRow* find_row(std::string_view form);

// https://docs.nvidia.com/cuda/parallel-thread-execution/#<anchor>
std::string url_of(const InstructionRow& row);

}  // namespace warpshop::ptx
