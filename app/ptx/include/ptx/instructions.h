// The instruction table: which pipe executes each form, and where the manual describes it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "ptx/module.h"

namespace warpshop::ptx {

// The part of an SM that executes an instruction, grouped as in the throughput table of the CUDA
// Programming Guide, "Arithmetic Instructions".
enum class Pipe : uint8_t {
  kAlu,       // 32-bit integer addition, logic, shifts, comparison, selection
  kFma,       // f32 addition, multiplication, fma; integer multiplication
  kFp64,      // f64 addition, multiplication, fma
  kHalf,      // 16-bit float arithmetic
  kXu,        // approximate functions, type conversions, bit counting
  kLsu,       // loads, stores, atomics, shuffles
  kTex,       // textures and surfaces
  kTensor,    // matrix products
  kBranch,    // control flow and barriers
  kSoftware,  // no unit: the back end emits a sequence (div, rem, sqrt.rn, …)
};
std::string_view name_of(Pipe pipe);  // "alu", …

struct InstructionRow {
  std::string_view
      form;  // opcode and modifiers, or an opcode alone for those that are not lane-wise
  std::string_view unit;  // group of handlers in the emulator; empty: decoded by opcode
  Pipe pipe = Pipe::kAlu;
  std::string_view anchor;  // in the manual's page; see url_of
  Type dest = Type::kNone;
  int source_count = 0;
  std::array<Type, 5> sources{};  // Type::kNone below source_count: an immediate
};

// The rows of ptx/instructions.def, in order.
std::span<const InstructionRow> instruction_rows();

// The row for an instruction as written, "ld.global.nc.f32": an exact match, or the row with the
// longest matching prefix ("ld"). nullptr: unknown instruction.
const InstructionRow* find_row(std::string_view form);

// https://docs.nvidia.com/cuda/parallel-thread-execution/#<anchor>
std::string url_of(const InstructionRow& row);

}  // namespace warpshop::ptx
