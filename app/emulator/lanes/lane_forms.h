// Instruction forms that operate on registers lane by lane: arithmetic, logic, comparison,
// selection, conversion. Each is a row of ptx/instructions.def; the handlers are compiled for
// several instruction sets of the host and chosen once at start. All give the same bits.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ptx/module.h"
#include "state/micro_op.h"

namespace warpshop::emulator {

struct LaneForm {
  std::string_view form;  // "add.rn.ftz.f32": opcode and modifiers as written in PTX
  Handler run = nullptr;
  ptx::Type dest = ptx::Type::kNone;  // type of the destination register; kPred: predicate
  // May write a second predicate (p|q): MicroOp::e, kNoRegister if absent. Then MicroOp::d may be
  // kNoRegister as well (`_|q`). True of every setp, testp and lop3 with a predicate: their
  // handlers read e.
  bool pair = false;
  int source_count = 0;  // all sources, including immediates
  std::array<ptx::Type, 5>
      source{};               // types as which sources are read; kPred: predicate (may be negated)
  int immediate_source = -1;  // this source must be a constant and goes to MicroOp::imm instead
  // This source's offset goes to the high half of MicroOp::imm (added to the immediate) and its
  // negation to bit 4 of MicroOp::flags: the predicate of lop3.and/.or/.xor, whose `e` is the
  // second destination.
  int far_source = -1;
};

// nullptr: no such form. Default modifiers that PTX allows to omit have rows of their own
// ("add.f32"). A form with three sources that shares its name with one with two (min, max of f32)
// ends in "/3".
//
// Only cvt depends on the width of its registers, which may be wider than the types:
// dest_width_bits and source_width_bits are the declared widths of the destination and the first
// source (8-bit registers count as 16); 0: as wide as the type. Its LaneForm then has integer types
// of that width. A source wider than its type is truncated, a wider destination is sign- or
// zero-extended. PTX ISA §9.5. Other forms ignore both.
const LaneForm* find_lane_form(std::string_view form, int dest_width_bits = 0,
                               int source_width_bits = 0);

// "avx512", "avx2", "x86-64" or "generic": the instruction set of find_lane_form's handlers on this
// machine. $WARPSHOP_ISA overrides it, for tests.
std::string_view lane_isa();

// For tests: the instruction sets that this machine supports, best first, and each one's forms.
std::vector<std::string_view> lane_isas();
const LaneForm* find_lane_form_of(std::string_view isa, std::string_view form,
                                  int dest_width_bits = 0, int source_width_bits = 0);

}  // namespace warpshop::emulator
