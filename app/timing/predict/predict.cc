#include "timing/predict.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "one_sm/arithmetic_rates.h"
#include "one_sm/code_map.h"
#include "one_sm/figures.h"
#include "one_sm/memory_path.h"
#include "one_sm/pipeline_recorder.h"
#include "one_sm/sharing.h"
#include "one_sm/simulate.h"
#include "one_sm/trace.h"
#include "one_sm/unequal_blocks.h"
#include "predict/limiter.h"
#include "predict/needed_values.h"
#include "predict/not_predicted.h"
#include "timing/generations.h"
#include "whole_chip/predict_whole_chip.h"

namespace warpshop::timing {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The blocks that represent the grid.
struct Sample {
  uint64_t grid = 1;
  uint64_t first = 0;  // of the group of blocks resident at one time on all SMs
  int active_sms = 1;
  int resident = 1;
  double blocks_per_sm = 1;
  size_t wanted = 1;  // blocks of the simulated SM
};

// Waves of resident blocks to simulate in larger grids.
constexpr uint64_t kRounds = 8;

Sample plan(const OneSmFigures& chip, const Occupancy& occupancy, uint64_t grid) {
  Sample s;
  s.grid = grid;
  s.active_sms = static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(chip.sm_count), grid));
  s.resident = std::max(1, occupancy.blocks_per_sm);
  const auto active = static_cast<uint64_t>(s.active_sms);
  s.blocks_per_sm = static_cast<double>(grid) / s.active_sms;
  const uint64_t whole = (grid + active - 1) / active;
  const uint64_t rounds = kRounds * static_cast<uint64_t>(s.resident);
  s.wanted = std::min(whole, rounds);
  const uint64_t group = s.wanted * active;
  // Avoid the grid's edge, where kernels often do less.
  if (grid > 2 * group) s.first = grid / 3;
  return s;
}

struct Recorded {
  Trace trace;
  Sharing sharing;
  std::vector<BlockWork> own, spread;  // recorded blocks; others, spread over the grid
};

// Emulation budget in PTX warp instructions; the emulator runs about 20 million per second and
// core. Counts rather than times, so that a kernel gets the same prediction on any machine.
constexpr double kOwnBudget = 1.5e6;
constexpr double kOwnLimit = 4e6;  // for the resident blocks
constexpr double kOtherBudget = 2.5e6;
constexpr double kFarBudget = 3e5;
constexpr double kSpreadBudget = 3e6;  // to learn how unequal blocks are
constexpr uint64_t kMostSpread = 512;

// The other SMs to sample: those whose reads merge with the simulated SM's, and some spread over
// the chip.
std::vector<uint64_t> seen_sms(uint64_t others, uint64_t count, int merging) {
  std::vector<uint64_t> sms;
  for (uint64_t n = 1; n < static_cast<uint64_t>(merging) && n <= others && sms.size() < count;
       ++n) {
    sms.push_back(n);
  }
  const size_t near = sms.size();
  const auto is_near = [&](uint64_t sm) {
    return std::find(sms.begin(), sms.begin() + static_cast<std::ptrdiff_t>(near), sm) !=
           sms.begin() + static_cast<std::ptrdiff_t>(near);
  };
  for (uint64_t n = 0; n < count && sms.size() < count; ++n) {
    const uint64_t sm = 1 + n * others / count;
    if (!is_near(sm)) sms.push_back(sm);
  }
  return sms;
}

// If the blocks seen so far have unequal work, looks at more of them, evenly over the grid.
Status look_around(Recorder& recorder, uint64_t grid, Recorded& out) {
  std::vector<BlockWork> seen = out.own;
  seen.insert(seen.end(), recorder.looked_at().begin(), recorder.looked_at().end());
  // Where atomics decide the path, work depends on what earlier blocks left, which a sample lacks.
  if (recorder.follows_atomics() || !is_unequal(seen)) return success();
  double work = 0;
  for (const BlockWork& block : seen) work += block.all;
  const double each = std::max(1.0, work / static_cast<double>(seen.size()));
  const uint64_t most = std::min(grid, kMostSpread);
  const auto count = std::clamp<uint64_t>(static_cast<uint64_t>(kSpreadBudget / each),
                                          std::min<uint64_t>(8, most), most);
  std::vector<uint64_t> blocks;
  for (uint64_t n = 0; n < count; ++n) blocks.push_back((2 * n + 1) * grid / (2 * count));
  const size_t before = recorder.looked_at().size();
  Sharing nobody;
  const Status status = recorder.look(blocks, Sharing::Who::kFar, 0, nobody);
  if (!status.ok()) return status;
  out.spread.assign(recorder.looked_at().begin() + static_cast<std::ptrdiff_t>(before),
                    recorder.looked_at().end());
  return success();
}

Status record_all(const PredictionInput& input, models::ComputeCapability capability,
                  const OneSmFigures& chip, const Sample& sample, emulator::DeviceMemory& memory,
                  Recorded& out) {
  using Who = Sharing::Who;
  const emulator::Program reduced = input.program->reduced_to(
      needed_values(*input.program, buffers_of_arguments(*input.launch, memory)));
  Recorder recorder(
      {.program = &reduced, .launch = input.launch, .limits = input.limits, .stop = input.stop},
      texel_layout_of(capability), memory);
  const auto active = static_cast<uint64_t>(sample.active_sms);
  const auto blocks_of = [&](uint64_t sm, uint64_t from, uint64_t to) {
    std::vector<uint64_t> blocks;
    for (uint64_t j = from; j < to; ++j) {
      const uint64_t block = sample.first + sm + j * active;
      if (block < sample.grid) blocks.push_back(block);
    }
    return blocks;
  };
  Status status = recorder.record(blocks_of(0, 0, 1), Who::kOwn, out.trace, out.sharing);
  if (!status.ok()) return status;
  double each = static_cast<double>(recorder.warp_instructions());
  if (!out.trace.blocks.empty()) each += recorder.extra_cost(out.trace.blocks.front());
  each = std::max(1.0, each);
  const auto within = [&](double budget) { return static_cast<uint64_t>(budget / each); };
  const auto resident = static_cast<uint64_t>(sample.resident);
  uint64_t own = std::clamp<uint64_t>(
      std::max(within(kOwnBudget), std::min(within(kOwnLimit), resident)), 1, sample.wanted);
  if (own < sample.wanted && own > resident) own -= own % resident;
  // All SMs for several waves or, if one wave already exceeds the budget, some SMs for one wave.
  const uint64_t others = active - 1;
  const uint64_t rounds =
      others == 0
          ? own
          : std::clamp<uint64_t>(within(kOtherBudget) / std::max<uint64_t>(1, others), 1, own);
  const uint64_t sms = std::min(others, std::max<uint64_t>(4, within(kOtherBudget)));
  status = recorder.record(blocks_of(0, 1, std::min(rounds, resident)), Who::kOwn, out.trace,
                           out.sharing);
  if (!status.ok()) return status;
  status = recorder.record(blocks_of(0, resident, rounds), Who::kOwnNext, out.trace, out.sharing);
  if (!status.ok()) return status;
  status = recorder.record(blocks_of(0, rounds, own), Who::kOwnLater, out.trace, out.sharing);
  if (!status.ok()) return status;
  Sharing::Extent extent;
  extent.own_blocks = static_cast<double>(blocks_of(0, 0, rounds).size());
  extent.grid_blocks = static_cast<double>(sample.grid);
  extent.active_sms = sample.active_sms;
  extent.in_step = in_step(sample.blocks_per_sm, sample.resident);
  extent.buffers_start = input.buffers_start;
  extent.blocks_at_once =
      static_cast<double>(blocks_of(0, 0, std::min(rounds, resident)).size()) * sample.active_sms;
  for (const uint64_t sm : seen_sms(others, sms, chip.merging_sms)) {
    const auto number = static_cast<int>(sm);
    status = recorder.look(blocks_of(sm, 0, std::min(rounds, resident)), Who::kOther, number,
                           out.sharing);
    if (!status.ok()) return status;
    status = recorder.look(blocks_of(sm, resident, rounds), Who::kOtherNext, number, out.sharing);
    if (!status.ok()) return status;
    extent.seen_sms += 1;
  }
  const uint64_t group = own * active;
  const uint64_t far = std::clamp<uint64_t>(within(kFarBudget), 2, 128);
  for (uint64_t n = 0; n < far && sample.grid > group + group / 2; ++n) {
    const uint64_t block =
        (sample.first + group + (n * 2654435761U + 12345) % (sample.grid - group)) % sample.grid;
    status = recorder.look({block}, Who::kFar, static_cast<int>(n), out.sharing);
    if (!status.ok()) return status;
    extent.far_blocks += 1;
  }
  out.own = recorder.work_of(out.trace);
  status = look_around(recorder, sample.grid, out);
  if (!status.ok()) return status;
  std::vector<emulator::DeviceMemory::Allocation> buffers = memory.allocations();
  for (auto& array : texture_arrays(input.launch->textures)) buffers.push_back(std::move(array));
  out.sharing.settle(chip, buffers, extent);
  return success();
}

// Machine instructions issued by all warps of a block.
double machine_instructions(const CodeMap& code, const BlockTrace& block) {
  double count = 0;
  for (const WarpTrace& warp : block.warps) {
    CodeWalker walker(code);
    for (const auto& [ptx_block, times] : warp.path) {
      walker.pass(ptx_block, times, [&](const CodePiece& piece) {
        for (const auto& [first, end] : piece.ranges) count += end - first;
      });
    }
  }
  return count;
}

SimulationMark difference(const SimulationMark& to, const SimulationMark& from) {
  SimulationMark d = to;
  d.cycle -= from.cycle;
  d.blocks -= from.blocks;
  d.instructions -= from.instructions;
  for (size_t i = 0; i < d.pipe_cycles.size(); ++i) d.pipe_cycles[i] -= from.pipe_cycles[i];
  d.shared_cycles -= from.shared_cycles;
  d.texture_cycles -= from.texture_cycles;
  d.port_cycles -= from.port_cycles;
  d.adu_cycles -= from.adu_cycles;
  d.warp_cycles -= from.warp_cycles;
  d.launch_cycles -= from.launch_cycles;
  for (size_t i = 0; i < kWarpStates; ++i) d.state_cycles[i] -= from.state_cycles[i];
  d.memory.l1_tags -= from.memory.l1_tags;
  d.memory.l2_cycles -= from.memory.l2_cycles;
  d.memory.slice_cycles -= from.memory.slice_cycles;
  d.memory.dram_cycles -= from.memory.dram_cycles;
  d.memory.load_latency -= from.memory.load_latency;
  d.memory.loads -= from.memory.loads;
  d.memory.byte_cycles -= from.memory.byte_cycles;
  return d;
}

Sentence pipe_name(MachinePipe pipe) {
  switch (pipe) {
    case MachinePipe::kFma:
      return sentence("the FP32 pipe");
    case MachinePipe::kImad:
      return sentence("the integer multiply pipe");
    case MachinePipe::kAlu:
      return sentence("the integer and logic pipe");
    case MachinePipe::kFp64:
      return sentence("the FP64 pipe");
    case MachinePipe::kXu:
      return sentence("the special function pipe");
    case MachinePipe::kUniform:
      return sentence("the uniform pipe");
    case MachinePipe::kTensor:
      return sentence("the tensor pipe");
    default:
      return {};
  }
}

std::vector<UnitLoad> units_of(const SimulationMark& d) {
  std::vector<UnitLoad> units;
  if (d.cycle <= 0) return units;
  const auto add = [&](Limiter limiter, Sentence name, double busy_cycles, bool plural = false) {
    if (busy_cycles > 0)
      units.push_back({limiter, std::move(name), std::min(1.0, busy_cycles / d.cycle), plural});
  };
  add(Limiter::kDram, sentence("DRAM"), d.memory.dram_cycles);
  add(Limiter::kL2, sentence("L2"), d.memory.l2_cycles);
  add(Limiter::kL2, sentence("the busiest L2 slice"), d.memory.slice_cycles);
  add(Limiter::kL1, sentence("the load/store unit"), d.memory.l1_tags);
  add(Limiter::kShared, sentence("the data stage of shared memory and L1"), d.shared_cycles);
  add(Limiter::kTexture, sentence("the texture unit"), d.texture_cycles);
  add(Limiter::kIssue, sentence("the register file's ports"), d.port_cycles / 4, true);
  add(Limiter::kIssue, sentence("the unit for constant loads and barriers (ADU)"), d.adu_cycles);
  add(Limiter::kIssue, sentence("the schedulers"), static_cast<double>(d.instructions) / 4, true);
  add(Limiter::kLaunch, sentence("the block launcher"), d.launch_cycles);
  for (size_t p = 0; p < d.pipe_cycles.size(); ++p) {
    const Sentence name = pipe_name(static_cast<MachinePipe>(p));
    if (!name.empty()) add(Limiter::kCompute, name, d.pipe_cycles[p] / 4);
  }
  std::stable_sort(units.begin(), units.end(),
                   [](const UnitLoad& a, const UnitLoad& b) { return a.busy > b.busy; });
  return units;
}

// An H100 lowers its clock as soon as tensor cores work on anything but doubles.
bool lowers_clock(const std::vector<MachineOp>& ops) {
  constexpr uint16_t kDmma = 0x03f;
  return std::any_of(ops.begin(), ops.end(), [](const MachineOp& op) {
    return op.pipe == MachinePipe::kTensor && op.opcode != kDmma;
  });
}

}  // namespace

Result<Prediction> predict(const models::GpuProfile& chip_gpu, const PredictionInput& input,
                           emulator::DeviceMemory& memory) {
  const auto start = Clock::now();
  if (std::optional<Diagnostic> why = why_not_predicted(*input.program)) return *std::move(why);
  if (!has_machine_code(chip_gpu)) return predict_whole_chip(chip_gpu, input, memory);
  if (input.code->empty()) {
    return make_error("predict",
                      sentence("cannot predict a time without the kernel's machine code"));
  }
  const CodeMap code = map_code(*input.program, *input.code, chip_gpu.capability,
                                chip_gpu.tensor_f32_pct.value_or(100));
  models::GpuProfile gpu = chip_gpu;
  if (lowers_clock(code.ops) && gpu.tensor_clock_mhz) gpu.sm_clock_mhz = *gpu.tensor_clock_mhz;
  const Result<OneSmFigures> chip = one_sm_figures(gpu);
  if (!chip.ok()) return chip.errors();
  const Sample sample = plan(*chip, input.occupancy, input.launch->grid.count());
  Recorded recorded;
  const Status status = record_all(input, gpu.capability, *chip, sample, memory, recorded);
  if (!status.ok()) return status.errors();

  const uint64_t shared = std::min<uint64_t>(chip->l1_bytes, input.occupancy.shared_config_bytes);
  MemoryPath path(*chip, recorded.sharing, chip->l1_bytes - shared, sample.active_sms);
  // If blocks are so long that not all resident ones were recorded, replay the recorded ones for
  // the others.
  const size_t blocks = std::max(recorded.trace.blocks.size(),
                                 std::min(sample.wanted, static_cast<size_t>(sample.resident)));
  SimulationInput simulation{.chip = &*chip,
                             .code = &code,
                             .trace = &recorded.trace,
                             .blocks = blocks,
                             .resident_blocks = sample.resident,
                             .active_sms = sample.active_sms,
                             .timeline_warps = input.timeline_warps,
                             .stop = input.stop};
  SimulationResult result = simulate(simulation, path);
  if (result.stuck) {
    return make_error("predict",
                      sentence("cannot predict a time for this kernel: its waits at mbarrier "
                               "objects could not be followed through the machine code"));
  }

  // The steady part: after the first wave has finished and before the last one starts to finish.
  const std::vector<SimulationMark>& marks = result.marks;
  const auto resident = static_cast<size_t>(sample.resident);
  SimulationMark from{};
  SimulationMark to = marks.back();
  const bool steady = !result.cut && blocks >= 3 * resident;
  if (steady) {
    // Whole waves: blocks that started together finish together.
    from = marks[resident - 1];
    to = marks[(blocks / resident - 1) * resident - 1];
  }
  const SimulationMark d = difference(to, from);
  double cycles = 0;
  double each_issues = 0;
  if (result.cut) {
    // Measured in instructions, so that unfinished blocks count as well.
    double total = 0;
    for (const BlockTrace& block : recorded.trace.blocks)
      total += machine_instructions(code, block);
    each_issues = total / static_cast<double>(recorded.trace.blocks.size());
    cycles = to.cycle * each_issues * std::max(static_cast<double>(blocks), sample.blocks_per_sm) /
             static_cast<double>(to.instructions);
  } else if (static_cast<double>(blocks) >= sample.blocks_per_sm) {
    cycles = result.drained;
  } else {
    const double each = d.cycle / static_cast<double>(d.blocks);
    cycles = result.drained + (sample.blocks_per_sm - static_cast<double>(blocks)) * each;
  }

  const bool one_wave =
      sample.grid <= static_cast<uint64_t>(sample.active_sms) * static_cast<uint64_t>(resident);
  cycles = cycles_of_unequal(cycles, one_wave, recorded.own, recorded.spread);

  Prediction p;
  p.launch_us = chip->launch_us;
  p.time_us = chip->launch_us + cycles / chip->cycles_per_us;
  p.blocks_per_sm = sample.resident;
  p.waves =
      static_cast<double>(sample.grid) / (static_cast<double>(gpu.sm_count) * sample.resident);
  p.simulated_cycles = marks.back().cycle;
  p.simulated_blocks = blocks;
  p.theoretical_occupancy = input.occupancy.fraction;
  const SimulationMark& all = marks.back();
  p.achieved_occupancy =
      std::min(1.0, d.warp_cycles / std::max(1.0, d.cycle) / gpu.max_warps_per_sm);
  const double played = result.cut ? static_cast<double>(all.instructions) / each_issues
                                   : static_cast<double>(all.blocks);
  const double scale = sample.blocks_per_sm * sample.active_sms / std::max(1e-9, played);
  p.warp_instructions = static_cast<double>(all.instructions) * scale;
  p.instructions_per_cycle = static_cast<double>(d.instructions) / std::max(1.0, d.cycle);
  p.flow = result.flow;
  p.flow *= scale;
  p.dram_bytes = p.flow.dram_bytes();
  p.l2_bytes = p.flow.l2_bytes();
  p.latency_cycles = all.memory.loads > 0 ? all.memory.load_latency / all.memory.loads : 0;
  p.bytes_in_flight = d.memory.byte_cycles / std::max(1.0, d.cycle);
  p.peak_gb_s = 64.0 * chip->cycles_per_us / chip->dram_unit / 1e3;
  const bool from_dram = p.dram_bytes > kFromDram * p.l2_bytes;
  const double share = from_dram ? 64 / chip->dram_unit / gpu.sm_count
                                 : 128 / (chip->l2_read + 3 * chip->l2_read_sector) / gpu.sm_count;
  p.bytes_in_flight_needed = share * (from_dram ? chip->dram_latency : chip->l2_latency);
  p.flop = recorded.trace.flop / static_cast<double>(recorded.trace.blocks.size()) *
           static_cast<double>(sample.grid);
  p.peak_gflop_s =
      arithmetic_lanes(gpu.capability).fp32 * 2 * gpu.sm_count * gpu.sm_clock_mhz / 1e3;
  p.tensor_us = all.pipe_cycles[static_cast<size_t>(MachinePipe::kTensor)] / 4 * scale /
                gpu.sm_count / chip->cycles_per_us;
  p.units = units_of(d);
  p.timelines = std::move(result.timelines);
  if (result.pipeline) {
    complete_pipeline(*result.pipeline, *input.program);
    p.pipeline = std::move(result.pipeline);
  }
  complete_prediction(*input.program, d.state_cycles, p);
  p.seconds = seconds_since(start);
  return p;
}

}  // namespace warpshop::timing
