// The instruction forms that work lane by lane on registers alone: arithmetic, logic, comparison,
// selection, conversion. One row of ptx/instructions.def each; the handlers are compiled for
// several instruction sets of the host and chosen once at start; all give the same bits.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "run/micro_op.h"
#include "ptx/module.h"

namespace warpshop::emulator {

struct LaneForm {
  std::string_view form;  // "add.rn.ftz.f32": opcode and modifiers as written in PTX
  Handler run = nullptr;
  ptx::Type dest = ptx::Type::kNone;  // type of the destination register; kPred: predicate
  // May write a second predicate (p|q): MicroOp::e, kNoRegister if absent. Then MicroOp::d may be
  // kNoRegister too (`_|q`). True of every setp, testp and lop3 with a predicate: their handlers
  // look at e.
  bool pair = false;
  int source_count = 0;  // all sources, a number in the text included
  std::array<ptx::Type, 5>
      source{};               // types in which sources are read; kPred: predicate (may be negated)
  int immediate_source = -1;  // this source must be a constant and goes to MicroOp::imm instead
  // This source's offset goes to the high half of MicroOp::imm (added to the immediate), its
  // negation to bit 4 of MicroOp::flags: the predicate of lop3.and/.or/.xor, whose `e` is taken by
  // the second destination.
  int far_source = -1;
};

// nullptr: no such form. Default modifiers that PTX lets you leave out are rows of their own
// ("add.f32"). A form with three sources where one with two has the same name (min, max of f32)
// ends in "/3".
//
// cvt alone depends on the width of its registers, since they may be wider than the types:
// dest_width_bits and source_width_bits are those of the destination and of the first source as
// declared (8-bit registers count as 16); 0: as wide as the type. Its LaneForm then names integer
// types of that width. A source wider than its type is cut off, a wider destination is sign- or
// zero-extended. PTX ISA §9.5. Other forms ignore both.
const LaneForm* find_lane_form(std::string_view form, int dest_width_bits = 0,
                               int source_width_bits = 0);

// "avx512", "avx2", "x86-64" or "generic": what find_lane_form's handlers use on this machine.
// $WARPSHOP_ISA forces one, for tests.
std::string_view lane_isa();

// For tests: the instruction sets that this machine runs, best first, and one's own forms.
std::vector<std::string_view> lane_isas();
const LaneForm* find_lane_form_of(std::string_view isa, std::string_view form,
                                  int dest_width_bits = 0, int source_width_bits = 0);

}  // namespace warpshop::emulator
