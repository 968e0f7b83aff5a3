// Values that are undefined and do no harm as long as nothing comes of them:
//
// What lanes read in a shuffle from lanes that took no part in it: "If the source lane is inactive or not in membermask,
// the result is undefined" (PTX ISA, shfl.sync), as in
//
//   if (t < 8) for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xff, v, d);   // lane 0's sum is right
//
// What a thread reads of its local memory before it has written there. The compiler does so for programs that do not:
//
//   int v; if (get(v)) out = v; else out = -1;         // ld.local before the branch, which becomes a selp
//
// So from the first such shuffle or load on the warp's registers are followed, lane by lane: a result is undefined in the
// lanes in which one of its operands is. An undefined value is used where it is stored, makes an address, decides a
// branch, or is handed to other lanes or to a function; that is a warning, and for local memory an error. Until then it is
// a note for a shuffle, and nothing for local memory.
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

// Likewise by a load, with the lanes that have read local memory at Worker::access which they have never written.
const MicroOp* after_local_load(Warp& warp, const MicroOp* op, int bytes, uint32_t undefined);

// Where the registers that each instruction of a function reads go to.
class RegisterFlows;

class UndefinedValues final : public StepWatch {
 public:
  void loaded(Warp& warp, const MicroOp* op, int bytes, uint32_t undefined);
  void shuffled(Warp& warp, const MicroOp* op, const ShuffleSources& from, uint32_t undefined);
  // Lanes of `path` take part in a collective instruction with lanes that come from elsewhere.
  void met_elsewhere(Warp& warp, const Path& path);

  void before(Warp& warp, const MicroOp* op) override;
  void paused(Warp&) override {}

 private:
  // A shuffle or a load with undefined results.
  struct Read {
    const MicroOp* op = nullptr;
    int bytes = 0;                         // of a load
    uint64_t address = 0;                  // likewise, of its first lane
    ShuffleSources from{};                 // of a shuffle
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
  friend const MicroOp* after_local_load(Warp& warp, const MicroOp* op, int bytes, uint32_t undefined);
  static void note(Warp& warp, const Read& read, uint32_t lanes, Severity severity, const MicroOp* use);
  static void note_local(Warp& warp, const Read& read, uint32_t lanes, int use_line);
  // The entry of this instruction in reads_.
  uint32_t entry_of(const Read& read);
  Registers& registers_of(const Warp& warp, uint16_t frame);
  void use(Warp& warp, const MicroOp* op, const Undefined& value);

  std::vector<Read> reads_;
  std::vector<Registers> frames_;
};

}  // namespace warpshop::emulator
