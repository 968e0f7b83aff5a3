// Instructions that exchange data between the lanes of a warp. PTX ISA §9.7.9.6 "shfl.sync",
// §9.7.13 "vote.sync", "match.sync", "activemask", "redux.sync", "bar.warp.sync", "elect.sync".
#pragma once

#include <cstdint>
#include <string_view>

#include "state/micro_op.h"

namespace warpshop::emulator {

// Operand layout: d result (kNoRegister for `_`), e second result (predicate), a, b, c sources; the
// low half of `imm` is the offset of the member mask's register.
//   shfl: a value, b lane or delta, c clamp and segment mask
Handler find_shuffle(std::string_view mode);  // up, down, bfly, idx
//   vote: a predicate (flags bit 0: negated)
Handler find_vote(std::string_view mode);  // all, any, uni, ballot
//   match: a value
Handler find_match(std::string_view mode, int bytes);  // any, all
//   redux: a value
Handler find_redux(std::string_view operation, bool is_signed);
const MicroOp* activemask(Warp& warp, const MicroOp* op);
const MicroOp* sync_warp(Warp& warp, const MicroOp* op);
const MicroOp* elect(Warp& warp, const MicroOp* op);

// Operand types of such an instruction, for lanes that execute it in different places
// (convergence.h).
struct CollectiveShape {
  int a_bytes = -1;       // per lane; 0: a predicate, -1: none
  bool has_lane = false;  // b and c
  int d_bytes = -1;       // likewise
  bool has_e = false;
};
CollectiveShape shape_of_collective(Handler run);
std::string_view name_of_collective(Handler run);  // "a shuffle"

}  // namespace warpshop::emulator
