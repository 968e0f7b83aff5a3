// The units of an SM that the warps of all schedulers share, apart from the path to memory: when
// each is free, and for how long it has worked.
//
//   data stage      shared memory's banks, and the data of global accesses on their way through L1
//   texture units   a fetch's turn; its data comes from the path to memory
//   ADU             the address divergence unit: constant loads and barriers
#pragma once

#include "one_sm/figures.h"
#include "one_sm/machine_code.h"
#include "one_sm/resident.h"
#include "one_sm/simulate.h"
#include "one_sm/trace.h"

namespace warpshop::timing {

inline constexpr double kOperandRead = 8;  // cycles until a store or load has read its registers
// Latency of a texture fetch apart from the time in the units, in cycles. Unpublished for these
// chips; Wong et al. 2010 measured 260 for an L1 hit.
inline constexpr double kTextureLatency = 260;

// Times are cycles; a function that is given `at` takes the instruction issued then.
class SmUnits {
 public:
  // Adds each unit's work to `worked`.
  SmUnits(const OneSmFigures& chip, SimulationMark& worked) : chip_(chip), worked_(worked) {}

  // When the queue of the kind's unit has room again; in the past if it has room, or if the kind
  // needs none of these units.
  double accepts(MachineKind kind) const;

  // Returns the cycle in which the first wavefront passes.
  double occupy_data_stage(double at, double wavefronts);
  // An access to shared memory: sets when its result is ready and when its operands are read.
  void pass_banks(Scheduler& s, const MemoryOp& access, MachineKind kind, double at, double& result,
                  double& operands);
  double shuffle(double at);            // returns when its result is ready
  double take_texture_unit(double at);  // returns when the units have done their part
  double load_constant(double at);      // returns when its result is ready
  void take_adu(double at);             // for a barrier
  double adu_free() const { return adu_free_; }

 private:
  const OneSmFigures& chip_;
  SimulationMark& worked_;
  double shared_free_ = 0;
  double texture_free_ = 0;
  double adu_free_ = 0;
};

}  // namespace warpshop::timing
