#include "whole_chip/predict_whole_chip.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <unordered_set>

#include "predict/limiter.h"
#include "predict/needed_values.h"
#include "timing/generations.h"
#include "whole_chip/chip_memory.h"
#include "whole_chip/chip_trace.h"
#include "whole_chip/figures.h"
#include "whole_chip/live_registers.h"
#include "whole_chip/ptx_code.h"
#include "whole_chip/whole_chip.h"

namespace warpshop::timing {
namespace {

// Emulation and simulation budgets in PTX warp instructions. Counts rather than times, so that a
// kernel gets the same prediction on any machine.
constexpr double kBudget = 1e6;
constexpr double kWork = 1.2e6;      // simulated, including the pieces of memory accesses
constexpr uint64_t kChipRounds = 6;  // waves of resident blocks
// Registers a back end needs beyond simultaneously live values: addresses in computation, copies.
constexpr int kMoreRegisters = 2;

// The blocks that represent the grid.
struct ChipSample {
  uint64_t grid = 1;
  int resident = 1;       // per SM
  int sms = 1;            // SMs with blocks
  uint64_t recorded = 1;  // the grid's first blocks; additional ones repeat these
  uint64_t played = 1;
  bool stationary = false;  // steady state in the middle of a large grid
};

ChipSample plan_chip(const WholeChipFigures& chip, int resident, uint64_t grid, double each) {
  ChipSample s;
  s.grid = grid;
  s.resident = std::max(1, resident);
  s.sms = static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(chip.sm_count), grid));
  const uint64_t round =
      std::min(grid, static_cast<uint64_t>(chip.sm_count) * static_cast<uint64_t>(s.resident));
  const auto affordable = static_cast<uint64_t>(std::max(1.0, kBudget / each));
  if (affordable >= grid || affordable >= 3 * round) {
    s.recorded = s.played = std::min(grid, std::min(affordable / round, kChipRounds) * round);
    return s;
  }
  s.stationary = grid >= 3 * round;
  s.played = s.stationary ? round : grid;
  s.recorded = std::min(affordable, s.played);
  return s;
}

// Instructions issued by the recorded warps.
double issued_by(const PtxCode& code, const ChipTrace& trace) {
  std::vector<double> in_block;
  for (const auto& [first, end] : code.blocks) {
    double count = 0;
    for (int n = first; n < end; ++n) count += code.ops[static_cast<size_t>(n)].slots != 0 ? 1 : 0;
    in_block.push_back(count);
  }
  double sum = 0;
  for (const ChipBlock& block : trace.blocks) {
    for (const ChipWarp& warp : block.warps) {
      for (const auto& [number, times] : warp.path) sum += in_block[number] * times;
    }
  }
  return sum;
}

// Cycles of the whole grid; `issued`: instructions per block.
double whole_time(const ChipSample& s, const WholeChipResult& result, double issued) {
  const auto grid = static_cast<double>(s.grid);
  const ChipMark& end = result.marks.back();
  const auto ops = static_cast<double>(end.ops);
  if (s.stationary) {
    // The steady rate, for as long as the SM with the most blocks takes.
    const double rate =
        (ops - static_cast<double>(result.settled.ops)) / (end.cycle - result.settled.cycle);
    return issued / rate * std::ceil(grid / s.sms) * s.sms;
  }
  // Measured in instructions, so that unfinished blocks count as well.
  if (result.cut) return end.cycle * issued * grid / std::max(1.0, ops);
  if (s.played >= s.grid) return result.drained;
  const size_t round = static_cast<size_t>(s.sms) * static_cast<size_t>(s.resident);
  if (s.played >= 3 * round) {
    const ChipMark& from = result.marks[round - 1];
    const ChipMark& to = result.marks[s.played - round - 1];
    const double each = (to.cycle - from.cycle) / static_cast<double>(to.blocks - from.blocks);
    return result.drained + (grid - static_cast<double>(s.played)) * each;
  }
  return result.drained * grid / static_cast<double>(s.played);
}

// Sets up L2 as a launch finds it: with a small grid's data from the previous launch, or full of
// loaded and stored data in the kernel's proportions.
void prepare_l2(const WholeChipFigures& chip, const PtxCode& code, const ChipTrace& trace,
                const ChipSample& s, ChipMemory& memory) {
  if (chip.l2_bytes == 0) return;
  std::unordered_set<uint64_t> loaded;
  std::unordered_set<uint64_t> stored;
  std::vector<bool> stores;  // by site
  for (const PtxOp& op : code.ops) {
    if (op.site < 0) continue;
    if (stores.size() <= static_cast<size_t>(op.site))
      stores.resize(static_cast<size_t>(op.site) + 1, false);
    stores[static_cast<size_t>(op.site)] =
        op.kind != PtxOp::Kind::kGlobalLoad && op.kind != PtxOp::Kind::kTexture;
  }
  for (const ChipBlock& block : trace.blocks) {
    for (const ChipWarp& warp : block.warps) {
      for (size_t site = 0; site < warp.accesses.size() && site < stores.size(); ++site) {
        for (const ChipAccess& access : warp.accesses[site]) {
          for (uint32_t n = 0; n < access.pieces; ++n) {
            (stores[site] ? stored : loaded)
                .insert(trace.pieces[access.first_piece + n].address() / 128);
          }
        }
      }
    }
  }
  const double lines = static_cast<double>(loaded.size() + stored.size());
  const double all = lines * 128 * static_cast<double>(s.grid) / static_cast<double>(s.recorded);
  if (all <= static_cast<double>(chip.l2_bytes)) {
    for (const std::unordered_set<uint64_t>* set : {&loaded, &stored}) {
      std::vector<uint64_t> in_order(set->begin(), set->end());
      std::sort(in_order.begin(), in_order.end());
      for (const uint64_t line : in_order) memory.keep_in_l2(line);
    }
  } else {
    memory.fill_l2(static_cast<double>(stored.size()) / std::max(1.0, lines));
  }
}

// Traffic of the whole grid. Requests are extrapolated from the recorded blocks, however far the
// simulation came. Memory traffic is scaled accordingly, reads and writes separately, because
// blocks cut off midway have read more than they have written.
MemoryFlow whole_flow(const ChipTrace& trace, const MemoryFlow& played, double grid, double scale) {
  MemoryFlow asked;
  for (const ChipBlock& block : trace.blocks) {
    for (const ChipWarp& warp : block.warps) {
      for (const auto& site : warp.accesses) {
        for (const ChipAccess& access : site) count_access(trace, access, asked);
      }
    }
  }
  asked *= grid / static_cast<double>(trace.blocks.size());
  MemoryFlow flow = played;
  for (size_t u = 0; u < kMemoryUses; ++u) {
    const double hits =
        played.uses[u].sectors > 0 ? played.uses[u].hits / played.uses[u].sectors : 0;
    flow.uses[u] = asked.uses[u];
    flow.uses[u].hits = hits * asked.uses[u].sectors;
  }
  // Each sector that misses in the texture cache is transferred once.
  const auto bytes = [&](std::initializer_list<MemoryUse> uses) {
    double sum = 0;
    for (const MemoryUse use : uses) sum += 32 * (flow[use].sectors - flow[use].hits);
    return sum;
  };
  const auto factor = [&](double whole, double part) { return part > 0 ? whole / part : scale; };
  const double reads =
      factor(bytes({MemoryUse::kGlobalLoad, MemoryUse::kLocalLoad, MemoryUse::kTexture}),
             played.read_bytes);
  const double writes =
      factor(bytes({MemoryUse::kGlobalStore, MemoryUse::kLocalStore}), played.write_bytes);
  const double atomics = factor(bytes({MemoryUse::kGlobalAtomic}), played.atomic_bytes);
  for (double MemoryFlow::*count : {&MemoryFlow::read_bytes, &MemoryFlow::l2_read_sectors,
                                    &MemoryFlow::l2_read_misses, &MemoryFlow::texture_l2_lookups,
                                    &MemoryFlow::texture_l2_hits, &MemoryFlow::dram_read_bytes}) {
    flow.*count *= reads;
  }
  const double stored = played.write_bytes + played.atomic_bytes;
  flow.write_bytes *= writes;
  flow.atomic_bytes *= atomics;
  flow.dram_write_bytes *= stored > 0 ? (flow.write_bytes + flow.atomic_bytes) / stored : scale;
  return flow;
}

std::vector<UnitLoad> units_of(const WholeChipFigures& chip, const ChipSample& s,
                               const ChipMark& end, const ChipMemory& memory, double cycles) {
  std::vector<UnitLoad> units;
  if (cycles <= 0) return units;
  const auto add = [&](Limiter limiter, Sentence name, double busy, bool plural = false) {
    if (busy > 0) units.push_back({limiter, std::move(name), std::min(1.0, busy), plural});
  };
  const std::vector<double> partitions = memory.partitions().busy();
  double sum = 0;
  double most = 0;
  for (const double busy : partitions) {
    sum += busy;
    most = std::max(most, busy);
  }
  const double mean = sum / static_cast<double>(partitions.size());
  // The queue may move from one partition to the next, even if all do the same work over the whole
  // launch.
  const double in_turn = std::max(most, memory.partitions().busiest_in_turn());
  if (in_turn > models::kCampsFrom * mean) {
    add(Limiter::kCamping, sentence("the busiest DRAM partition"), in_turn / cycles);
  } else {
    add(Limiter::kDram, sentence("DRAM"), most / cycles);
  }
  add(Limiter::kL2, sentence("L2"), end.memory.l2_busy / cycles);
  const double sms = s.sms;
  add(Limiter::kIssue, sentence("the schedulers"),
      end.issue_cycles / cycles / sms / chip.schedulers, true);
  add(Limiter::kShared, sentence("shared memory"), end.shared_cycles / cycles / sms);
  const auto unit = [&](Unit u, Limiter limiter, Sentence name, bool plural = true) {
    add(limiter, std::move(name), end.unit_cycles[static_cast<size_t>(u)] / cycles / sms, plural);
  };
  unit(Unit::kFp32, Limiter::kCompute, sentence("the FP32 units"));
  unit(Unit::kInt, Limiter::kCompute, sentence("the integer units"));
  unit(Unit::kMul, Limiter::kCompute, sentence("integer multiplication"), false);
  unit(Unit::kShift, Limiter::kCompute, sentence("the shifters"));
  unit(Unit::kFp64, Limiter::kCompute, sentence("the FP64 units"));
  unit(Unit::kSpecial, Limiter::kCompute, sentence("the special function units"));
  unit(Unit::kTexture, Limiter::kTexture, sentence("the texture unit"), false);
  add(Limiter::kL1, sentence("the memory port"),
      (end.memory.pieces + end.memory.idle) * chip.memory_pipe / cycles / sms);
  std::stable_sort(units.begin(), units.end(),
                   [](const UnitLoad& a, const UnitLoad& b) { return a.busy > b.busy; });
  return units;
}

}  // namespace

int estimated_registers(const emulator::Program& program, const models::GpuProfile& gpu,
                        OccupancyInput block) {
  const bool narrow = is_first_generation(gpu.capability);
  int& registers = block.registers_per_thread;
  registers =
      std::clamp(live_registers(program, narrow) + kMoreRegisters, 1, gpu.max_registers_per_thread);
  // If a block needs more registers than there are, assume that the back end spills some.
  while (registers > 8 && occupancy(gpu, block).blocks_per_sm == 0) --registers;
  return registers;
}

Result<Prediction> predict_whole_chip(const models::GpuProfile& gpu, const PredictionInput& input,
                                      emulator::DeviceMemory& memory) {
  const auto start = std::chrono::steady_clock::now();
  const Result<WholeChipFigures> chip = whole_chip_figures(gpu);
  if (!chip.ok()) return chip.errors();
  const PtxCode code = make_ptx_code(*input.program, *chip);

  OccupancyInput wanted;
  wanted.threads_per_block = static_cast<int>(input.launch->block.count());
  wanted.static_shared_bytes = input.static_shared_bytes;
  wanted.dynamic_shared_bytes = input.launch->dynamic_shared_bytes;
  wanted.registers_per_thread = estimated_registers(*input.program, gpu, wanted);
  const Occupancy held = occupancy(gpu, wanted);
  if (held.blocks_per_sm == 0) {
    return make_error("predict", sentence("the block does not fit on {gpu}: {reason}",
                                          {{"gpu", gpu.name}, {"reason", held.reason}}));
  }

  ChipTrace trace;
  const emulator::Program reduced = input.program->reduced_to(
      needed_values(*input.program, buffers_of_arguments(*input.launch, memory)));
  const SampleRun traced{&reduced, input.launch, input.limits, input.stop};
  Status status = record_blocks(traced, *chip, {0}, memory, trace);
  if (!status.ok()) return status.errors();
  const ChipSample sample =
      plan_chip(*chip, held.blocks_per_sm, input.launch->grid.count(),
                std::max<double>(1, static_cast<double>(trace.warp_instructions) +
                                        static_cast<double>(trace.pieces.size()) / 8));
  std::vector<uint64_t> others;
  for (uint64_t b = 1; b < sample.recorded; ++b) others.push_back(b);
  status = record_blocks(traced, *chip, others, memory, trace);
  if (!status.ok()) return status.errors();

  ChipMemory path(*chip);
  prepare_l2(*chip, code, trace, sample, path);
  const WholeChipInput whole{.chip = &*chip,
                             .code = &code,
                             .trace = &trace,
                             .sms = sample.sms,
                             .resident_blocks = sample.resident,
                             .blocks = sample.played,
                             .stationary = sample.stationary,
                             .max_work = static_cast<uint64_t>(kWork),
                             .timeline_warps = input.timeline_warps,
                             .stop = input.stop};
  WholeChipResult result = simulate_chip(whole, path);
  const double issued = issued_by(code, trace) / static_cast<double>(trace.blocks.size());
  const double cycles = whole_time(sample, result, issued);
  const ChipMark& end = result.marks.back();

  Prediction p;
  p.launch_us = chip->launch_us;
  p.time_us = chip->launch_us + cycles / chip->cycles_per_us;
  p.blocks_per_sm = sample.resident;
  p.waves =
      static_cast<double>(sample.grid) / (static_cast<double>(gpu.sm_count) * sample.resident);
  p.simulated_cycles = end.cycle;
  p.simulated_blocks = end.blocks;
  p.theoretical_occupancy = held.fraction;
  const double sm_cycles = std::max(1.0, end.cycle) * sample.sms;
  p.achieved_occupancy = std::min(1.0, end.warp_cycles / sm_cycles / gpu.max_warps_per_sm);
  // Extrapolates from the simulated part to the whole grid.
  const double scale =
      issued * static_cast<double>(sample.grid) / std::max(1.0, static_cast<double>(end.ops));
  p.warp_instructions = static_cast<double>(end.instructions) * scale;
  p.instructions_per_cycle = static_cast<double>(end.instructions) / sm_cycles;
  const ChipMemoryTotals totals = path.totals();
  p.flow = whole_flow(trace, result.flow, static_cast<double>(sample.grid), scale);
  p.dram_bytes = p.flow.dram_bytes();
  p.l2_bytes = p.flow.l2_bytes();
  p.latency_cycles = totals.loads > 0 ? totals.load_latency / totals.loads : 0;
  p.bytes_in_flight = totals.byte_cycles / sm_cycles;
  p.peak_gb_s = chip->partitions.count / chip->byte_cycles * chip->cycles_per_us / 1e3;
  p.bytes_in_flight_needed =
      chip->partitions.count / chip->byte_cycles / chip->sm_count * chip->memory_latency;
  p.flop = trace.flop / static_cast<double>(trace.blocks.size()) * static_cast<double>(sample.grid);
  const double fp32 = chip->unit_cycles[static_cast<size_t>(Unit::kFp32)];
  p.peak_gflop_s = 32 / fp32 * 2 * gpu.sm_count * gpu.sm_clock_mhz / 1e3;
  p.units = units_of(*chip, sample, end, path, std::max(1.0, result.drained));
  p.timelines = std::move(result.timelines);
  complete_prediction(*input.program, end.state_cycles, p);
  p.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return p;
}

}  // namespace warpshop::timing
