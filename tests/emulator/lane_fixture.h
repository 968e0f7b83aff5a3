// Runs one lane-wise form on 32 lanes, without a kernel.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "../../app/emulator/lanes/lane_forms.h"
#include "../../app/emulator/state/warp.h"

namespace warpshop::emulator::testing {

using Lanes = std::array<uint64_t, 32>;  // values in the low bits; a predicate in bit 0

class LaneRun {
 public:
  explicit LaneRun(const LaneForm& form, uint32_t mask = 0xffffffffu) : form_(form) {
    warp_.frame = frame_;
    warp_.mask = mask;
    warp_.full = mask == 0xffffffffu;
    for (int lane = 0; lane < 32; ++lane) {
      // Only valid if not full: handlers must not read it otherwise.
      warp_.lane_mask[lane] = warp_.full ? 0x5a5a5a5au : (mask >> lane & 1) != 0 ? 0xffffffffu : 0;
    }
    op_.run = form.run;
    op_.d = kDest;
    op_.e = form.pair ? kSecondDest : kNoRegister;
    uint32_t* const places[] = {&op_.a, &op_.b, &op_.c, &op_.e};
    for (int i = 0; i < form.source_count; ++i) {
      if (i == form.immediate_source) continue;
      if (i == form.far_source)
        op_.imm |= uint64_t{source_offset(i)} << 32;
      else
        *places[i] = source_offset(i);
    }
  }

  void set_source(int i, const Lanes& values) {
    write(source_offset(i), form_.source[static_cast<size_t>(i)], values);
  }
  void negate_source(int i) { op_.flags |= 1u << i; }
  void set_immediate(uint64_t value) { op_.imm |= value; }
  void set_carry(uint32_t carry) { warp_.carry = carry; }
  void set_before(const Lanes& values) { write(kDest, form_.dest, values); }
  void drop_second() { op_.e = kNoRegister; }
  // True if the handler continues with the next micro-op.
  bool run() { return op_.run(warp_, &op_) == &op_ + 1; }

  Lanes dest() const { return read(kDest, form_.dest); }
  Lanes second() const { return read(kSecondDest, ptx::Type::kPred); }
  uint32_t carry() const { return warp_.carry; }

 private:
  static constexpr uint32_t kDest = 0, kSecondDest = 512;
  static uint32_t source_offset(int i) { return 576u + 512u * static_cast<uint32_t>(i); }

  // Of a 128-bit register only the low half, which is laid out like a 64-bit register.
  static size_t lane_bytes(ptx::Type type) {
    const int size = ptx::size_bytes(type);
    return static_cast<size_t>(size < 8 ? size : 8);
  }
  void write(uint32_t offset, ptx::Type type, const Lanes& values) {
    for (size_t lane = 0; lane < 32; ++lane) {
      if (type == ptx::Type::kPred) {
        uint32_t word;
        std::memcpy(&word, frame_ + offset, 4);
        word = (word & ~(1u << lane)) | static_cast<uint32_t>(values[lane] & 1) << lane;
        std::memcpy(frame_ + offset, &word, 4);
      } else {
        const size_t size = lane_bytes(type);
        std::memcpy(frame_ + offset + lane * size, &values[lane], size);
      }
    }
  }
  Lanes read(uint32_t offset, ptx::Type type) const {
    Lanes values{};
    for (size_t lane = 0; lane < 32; ++lane) {
      if (type == ptx::Type::kPred) {
        uint32_t word;
        std::memcpy(&word, frame_ + offset, 4);
        values[lane] = word >> lane & 1;
      } else {
        const size_t size = lane_bytes(type);
        std::memcpy(&values[lane], frame_ + offset + lane * size, size);
      }
    }
    return values;
  }

  LaneForm form_;
  alignas(64) uint8_t frame_[576 + 5 * 512] = {};
  Warp warp_;
  MicroOp op_;
};

}  // namespace warpshop::emulator::testing
