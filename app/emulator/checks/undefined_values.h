// Tracks undefined values, which are harmless until they are used:
//
// Values read in a shuffle from lanes that took no part in it: "If the source lane is inactive or
// not in membermask, the result is undefined" (PTX ISA, shfl.sync), as in
//
//   // lane 0 is right
//   if (t < 8) for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xff, v, d);
//
// Values read from a thread's uninitialised local memory. The compiler generates such reads for
// correct programs:
//
//   int v; if (get(v)) out = v; else out = -1;         // ld.local before the branch (now a selp)
//
// From the first such shuffle or load on, the warp's registers are tracked lane by lane: a result
// is undefined in the lanes in which an operand is. An undefined value is used if it is stored, is
// part of an address, decides a branch, or is passed to other lanes or to a function; that is a
// warning, and for local memory an error. Until then a shuffle gives a note, and local memory
// nothing.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "state/warp.h"

namespace warpshop::emulator {

using ShuffleSources = std::array<uint8_t, kWarpSize>;  // the lane that each lane has read

// Called after a shuffle with the lanes whose source took no part in it, if there are any or the
// warp is already being tracked. Returns where the warp continues.
const MicroOp* after_shuffle(Warp& warp, const MicroOp* op, const ShuffleSources& from,
                             uint32_t undefined);

// Likewise after a load, with the lanes that read uninitialised local memory at
// EmulationThread::access.
const MicroOp* after_local_load(Warp& warp, const MicroOp* op, int bytes, uint32_t undefined);

// For each instruction of a function, where the registers that it reads flow to.
class RegisterFlows;

class UndefinedValues final : public StepWatch {
 public:
  void loaded(Warp& warp, const MicroOp* op, int bytes, uint32_t undefined);
  void shuffled(Warp& warp, const MicroOp* op, const ShuffleSources& from, uint32_t undefined);
  // Lanes of `path` take part in a collective instruction together with lanes of other paths.
  void joins_other_paths(Warp& warp, const Path& path);

  void before(Warp& warp, const MicroOp* op) override;
  void paused(Warp&) override {}

 private:
  // A shuffle or a load with undefined results.
  struct Read {
    const MicroOp* op = nullptr;
    int bytes = 0;          // of a load
    uint64_t address = 0;   // likewise, of its first lane
    ShuffleSources from{};  // of a shuffle
    uint32_t lanes = 0;     // with undefined results
    uint32_t mask = 0;      // that took part
    uint32_t live = 0;
    bool reported = false;  // that it is used
  };
  // For a register: the lanes with undefined values, and their origin, an index in `reads_`.
  struct Undefined {
    uint32_t lanes = 0;
    uint32_t read = 0;
    void add(const Undefined& other, uint32_t of) {
      if ((other.lanes & of) == 0) return;
      if (lanes == 0) read = other.read;
      lanes |= other.lanes & of;
    }
  };
  using Registers = std::vector<Undefined>;  // of a call frame; the last one is the carry flag

  friend const MicroOp* after_shuffle(Warp& warp, const MicroOp* op, const ShuffleSources& from,
                                      uint32_t undefined);
  friend const MicroOp* after_local_load(Warp& warp, const MicroOp* op, int bytes,
                                         uint32_t undefined);
  static void note(Warp& warp, const Read& read, uint32_t lanes, Severity severity,
                   const MicroOp* use);
  static void note_local(Warp& warp, const Read& read, uint32_t lanes, int use_line);
  // The index of this instruction in reads_.
  uint32_t entry_of(const Read& read);
  Registers& registers_of(const Warp& warp, uint16_t frame);
  void use(Warp& warp, const MicroOp* op, const Undefined& value);

  std::vector<Read> reads_;
  std::vector<Registers> frames_;
};

}  // namespace warpshop::emulator
