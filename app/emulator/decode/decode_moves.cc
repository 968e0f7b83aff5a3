// mov: addresses, changing special registers, packing and unpacking; plain moves are lane-wise
// forms.
#include <algorithm>
#include <chrono>
#include <cstring>

#include "decode/decoder.h"
#include "lanes/lane_forms.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

// A lane's bytes in a register, also if it is split into halves.
uint8_t* lane_bytes(Warp& warp, uint32_t offset, int width, int lane, int byte) {
  if (width == 16) return warp.frame + offset + (byte >= 8 ? 256 : 0) + 8 * lane + byte % 8;
  return warp.frame + offset + width * lane + byte;
}

// imm: bytes of an element; d: register or list, a: list or register; flags: width of the wide
// register.
const MicroOp* pack(Warp& warp, const MicroOp* op) {
  const RegisterList& list = warp.worker->launch->program->lists[op->a];
  const int element = static_cast<int>(op->imm);
  const int width = static_cast<int>(op->flags);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    uint8_t value[16];
    for (int e = 0; e < list.count; ++e) {
      std::memcpy(value + e * element,
                  lane_bytes(warp, list.offset[e], std::max(element, 2), lane, 0),
                  static_cast<size_t>(element));
    }
    for (int byte = 0; byte < width; byte += std::min(width, 8)) {
      std::memcpy(lane_bytes(warp, op->d, width, lane, byte), value + byte,
                  static_cast<size_t>(std::min(width, 8)));
    }
  }
  return op + 1;
}

const MicroOp* unpack(Warp& warp, const MicroOp* op) {
  const RegisterList& list = warp.worker->launch->program->lists[op->d];
  const int element = static_cast<int>(op->imm);
  const int width = static_cast<int>(op->flags);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    uint8_t value[16];
    for (int byte = 0; byte < width; byte += std::min(width, 8)) {
      std::memcpy(value + byte, lane_bytes(warp, op->a, width, lane, byte),
                  static_cast<size_t>(std::min(width, 8)));
    }
    for (int e = 0; e < list.count; ++e) {
      if (list.offset[e] == kNoRegister) continue;
      if (element == 1) {
        warp.reg<uint16_t>(list.offset[e])[lane] = value[e];
        continue;
      }
      std::memcpy(lane_bytes(warp, list.offset[e], element, lane, 0), value + e * element,
                  static_cast<size_t>(element));
    }
  }
  return op + 1;
}

// A .local variable's address depends on the depth of the call.
const MicroOp* local_address(Warp& warp, const MicroOp* op) {
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = op->imm + warp.local_base;
    if (op->flags == 4) warp.reg<uint32_t>(op->d)[lane] = static_cast<uint32_t>(address);
    if (op->flags == 8) warp.reg<uint64_t>(op->d)[lane] = address;
  }
  return op + 1;
}

// %clock counts the warp instructions issued by this emulation thread: it only has to increase.
// %globaltimer is the host's nanoseconds since the start of the launch.
const MicroOp* read_clock(Warp& warp, const MicroOp* op) {
  const auto which = static_cast<Special>(op->imm);
  uint64_t value = ++warp.worker->clock;
  if (which >= Special::kGlobaltimer) {
    value = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                      std::chrono::steady_clock::now().time_since_epoch())
                                      .count());
  }
  if (which == Special::kClockHi || which == Special::kGlobaltimerHi) value >>= 32;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (op->flags == 4) warp.reg<uint32_t>(op->d)[lane] = static_cast<uint32_t>(value);
    if (op->flags == 8) warp.reg<uint64_t>(op->d)[lane] = value;
  }
  return op + 1;
}

}  // namespace

void FunctionDecoder::decode_move(const Instruction& i) {
  if (i.operands.size() != 2)
    return unsupported(i, sentence("a destination and a source were expected"));
  const Operand& dest = i.operands[0];
  const Operand& source = i.operands[1];
  const ptx::Type type = type_of(i);
  const int width = register_width(type);
  MicroOp op;
  op.instruction = current_index_;

  if (source.kind == Operand::Kind::kVector || dest.kind == Operand::Kind::kVector) {
    const bool packs = source.kind == Operand::Kind::kVector;
    const int count = static_cast<int>((packs ? source : dest).elements.size());
    const int element = count == 0 ? 0 : width / count;
    if (element * count != width ||
        (element != 1 && element != 2 && element != 4 && element != 8)) {
      return unsupported(i, sentence("the parts do not add up to the whole"));
    }
    const int part = std::max(element, 2);  // 8-bit registers are stored as 16-bit ones
    op.run = packs ? pack : unpack;
    op.imm = static_cast<uint64_t>(element);
    op.flags = static_cast<uint32_t>(width);
    op.d = packs ? destination_of(dest, width) : register_list(dest, part, ListUse::kDestination);
    op.a = packs ? register_list(source, part, ListUse::kSource) : source_of(source, type);
    out_.code.push_back(op);
    return;
  }
  if (source.kind == Operand::Kind::kSymbol &&
      source.symbol.table == ptx::Symbol::Table::kLocalVariable &&
      function_.variables[static_cast<size_t>(source.symbol.index)].space == ptx::Space::kLocal) {
    if (width != 4 && width != 8) return unsupported(i, sentence("an address has 32 or 64 bits"));
    op.run = local_address;
    op.imm = symbol_address(source.symbol, source.offset);
    op.flags = static_cast<uint32_t>(width);
    op.d = destination_of(dest, width);
    out_.code.push_back(op);
    return;
  }
  if (source.kind == Operand::Kind::kSpecial) {
    const auto which = find_special(source.text);
    if (which && *which >= kFirstDynamicSpecial) {
      if (width != 4 && width != 8) return unsupported(i, sentence("a clock has 32 or 64 bits"));
      op.run = read_clock;
      op.imm = static_cast<uint64_t>(*which);
      op.flags = static_cast<uint32_t>(width);
      op.d = destination_of(dest, width);
      out_.code.push_back(op);
      return;
    }
  }
  if (width == 16) {
    // A 128-bit move is two 64-bit ones.
    const LaneForm* form = find_lane_form("mov.b64", 64, 64);
    op.run = form->run;
    op.e = kNoRegister;
    op.d = destination_of(dest, width);
    op.a = source_of(source, type);
    out_.code.push_back(op);
    op.d += 8 * kWarpSize;
    op.a += 8 * kWarpSize;
    out_.code.push_back(op);
    return;
  }
  decode_lane_form(i);
}

}  // namespace warpshop::emulator
