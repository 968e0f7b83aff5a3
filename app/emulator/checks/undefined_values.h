// What lanes read in a shuffle from lanes that took no part in it: "If the source lane is inactive or not in membermask,
// the result is undefined" (PTX ISA, shfl.sync). The value does no harm as long as nothing comes of it, as in
//
//   if (t < 8) for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xff, v, d);   // lane 0's sum is right
//
// so from the first such shuffle on the warp's registers are followed, lane by lane: a result is undefined in the lanes
// in which one of its operands is. An undefined value is used where it is stored, makes an address, decides a branch,
// or is handed to other lanes or to a function; that is a warning. Until then it is a note.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "run/warp.h"

namespace warpshop::emulator {

using ShuffleSources = std::array<uint8_t, kWarpSize>;   // the lane that each lane has read from

// To be called by a shuffle that has been carried out, with the lanes whose source took no part in it, where there are
// any or the warp is followed already. Returns where the warp goes on.
const MicroOp* after_shuffle(Warp& warp, const MicroOp* op, const ShuffleSources& from, uint32_t undefined);

// Where the registers that each instruction of a function reads go to.
class RegisterFlows;

class UndefinedValues final : public StepWatch {
 public:
  void shuffled(Warp& warp, const MicroOp* op, const ShuffleSources& from, uint32_t undefined);
  // Lanes of `path` take part in a collective instruction with lanes that come from elsewhere.
  void met_elsewhere(Warp& warp, const Path& path);

  void before(Warp& warp, const MicroOp* op) override;
  void paused(Warp&) override {}

 private:
  // A shuffle with undefined results.
  struct Read {
    const MicroOp* op = nullptr;
    ShuffleSources from{};
    uint32_t lanes = 0;                    // whose results are undefined
    uint32_t mask = 0;                     // that took part
    uint32_t live = 0;
    bool told = false;                     // that it is used
  };
  // Of a register: the lanes whose value is undefined, and the read, one of `reads_`, that it comes from.
  struct Undefined {
    uint32_t lanes = 0;
    uint32_t read = 0;
    void add(const Undefined& other, uint32_t of) {
      if ((other.lanes & of) == 0) return;
      if (lanes == 0) read = other.read;
      lanes |= other.lanes & of;
    }
  };
  using Registers = std::vector<Undefined>;   // of a call frame; the last one is the carry flag

  friend const MicroOp* after_shuffle(Warp& warp, const MicroOp* op, const ShuffleSources& from, uint32_t undefined);
  static void note(Warp& warp, const Read& read, uint32_t lanes, Severity severity, const MicroOp* use);
  Registers& registers_of(const Warp& warp, uint16_t frame);
  void use(Warp& warp, const MicroOp* op, const Undefined& value);

  std::vector<Read> reads_;
  std::vector<Registers> frames_;
};

}  // namespace warpshop::emulator
