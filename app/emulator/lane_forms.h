// The instruction forms that work lane by lane on registers alone: arithmetic, logic, comparison, selection,
// conversion. One row of ptx/instructions.def each; the handlers are compiled for several instruction sets of the
// host and chosen once at start; all give the same bits.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "micro_op.h"
#include "ptx/module.h"

namespace warpshop::emulator {

struct LaneForm {
  std::string_view form;                    // "add.rn.ftz.f32": opcode and modifiers as written in PTX
  Handler run = nullptr;
  ptx::Type dest = ptx::Type::kNone;        // type of the destination register; kPred: predicate
  bool pair = false;                        // may write a second predicate (p|q): MicroOp::e, kNoRegister if absent
  int source_count = 0;
  std::array<ptx::Type, 4> source{};        // types in which sources are read; kPred: predicate (may be negated)
  int immediate_source = -1;                // this source must be a constant and goes to MicroOp::imm instead
};

// nullptr: no such form. Default modifiers that PTX lets you leave out are rows of their own ("add.f32").
const LaneForm* find_lane_form(std::string_view form, int dest_register_bits = 0, int source_register_bits = 0);

// "avx512", "avx2", "x86-64" or "generic": what find_lane_form's handlers use on this machine.
// $WARPSHOP_ISA forces one, for tests.
std::string_view lane_isa();

}  // namespace warpshop::emulator
