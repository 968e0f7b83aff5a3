#include "one_sm/sm_units.h"

#include <algorithm>

namespace warpshop::timing {
namespace {

// Cycles of accepted work queued at a unit.
constexpr double kSharedBacklog = 24;
constexpr double kTextureBacklog = 64;
constexpr double kConstantBacklog = 24;
constexpr double kWavefrontsApart = 2;  // cycles, within one shared load
// Latencies from issue to result.
constexpr double kConstantLatency = 30;
constexpr double kShuffleLatency = 23;

// Wavefronts of one instruction; of an atomic's loop, those of a round on average.
double wavefronts_of(const MemoryOp& access, MachineKind kind) {
  if (access.rounds == 0) return access.wavefronts;
  if (kind == MachineKind::kSharedLoad)
    return access.load_wavefronts / static_cast<double>(access.load_rounds);
  return (access.wavefronts - access.load_wavefronts) / static_cast<double>(access.rounds);
}

}  // namespace

double SmUnits::accepts(MachineKind kind) const {
  switch (kind) {
    case MachineKind::kSharedLoad:
    case MachineKind::kSharedStore:
    case MachineKind::kSharedAtomic:
    case MachineKind::kShuffle:
      return shared_free_ - kSharedBacklog;
    case MachineKind::kTexture:
      return texture_free_ - kTextureBacklog;
    case MachineKind::kConstantLoad:
      return adu_free_ - kConstantBacklog;
    default:
      return 0;
  }
}

double SmUnits::occupy_data_stage(double at, double wavefronts) {
  const double start = std::max(shared_free_, at);
  const double cycles = std::max(chip_.access, wavefronts * chip_.wavefront);
  shared_free_ = start + cycles;
  worked_.shared_cycles += cycles;
  return start;
}

void SmUnits::pass_banks(Scheduler& s, const MemoryOp& access, MachineKind kind, double at,
                         double& result, double& operands) {
  const double wavefronts = wavefronts_of(access, kind);
  const double start = occupy_data_stage(at, wavefronts);
  operands = start + wavefronts + kOperandRead;
  result = start + chip_.shared_latency + wavefronts - 1;
  if (kind != MachineKind::kSharedLoad) return;
  // The banks serve one wavefront per cycle, but a sub-partition receives one every other cycle
  // (tests/microbench, "conflicts"; tests/hardware/copies/rates.cu, one warp's loads).
  s.shared_free = std::max(s.shared_free, start) + kWavefrontsApart * wavefronts;
  result = chip_.shared_latency + s.shared_free - kWavefrontsApart;
}

double SmUnits::shuffle(double at) {
  shared_free_ = std::max(shared_free_, at) + 1;
  worked_.shared_cycles += 1;
  return shared_free_ + kShuffleLatency;
}

double SmUnits::take_texture_unit(double at) {
  texture_free_ = std::max(texture_free_, at) + chip_.texture_warp;
  worked_.texture_cycles += chip_.texture_warp;
  return texture_free_;
}

double SmUnits::load_constant(double at) {
  take_adu(at);
  return adu_free_ + kConstantLatency;
}

// Constant loads and barriers share one unit of the SM, the address divergence unit (Nsight
// Compute's Kernel Profiling Guide, "Pipelines": ADU). Its rate was measured with barriers:
// tests/microbench, "barrier".
void SmUnits::take_adu(double at) {
  adu_free_ = std::max(adu_free_, at) + chip_.barrier_per_warp;
  worked_.adu_cycles += chip_.barrier_per_warp;
}

}  // namespace warpshop::timing
