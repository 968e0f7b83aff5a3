#include "run/kernel_run.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "lab/findings.h"
#include "models/transactions.h"
#include "run/local_arrays.h"
#include "run/word_names.h"
#include "timing/predict.h"

namespace warpshop::lab {
namespace {

// The kernel's instructions and accesses, summed per source line.
std::vector<LineCost> line_costs(const CompiledKernel& kernel, const KernelRun& run,
                                 const std::vector<timing::ModelSite>& chip,
                                 const std::vector<emulator::InstructionCount>& counts) {
  std::map<int, LineCost> lines;
  const ptx::Module& module = kernel.program.module();
  const auto line_of = [&](const ptx::SourceLine& source) -> LineCost* {
    const int line = line_in_file(module, source, kernel.file->file_name);
    if (line == 0) return nullptr;
    LineCost& cost = lines[line];
    cost.line = line;
    return &cost;
  };
  const std::vector<ptx::Instruction>& body = kernel.program.function().body;
  for (size_t i = 0; i < body.size() && i < counts.size(); ++i) {
    if (counts[i].warps == 0) continue;
    if (LineCost* cost = line_of(body[i].source)) {
      cost->warp_instructions += counts[i].warps;
      cost->lane_instructions += counts[i].lanes;
    }
  }
  for (size_t i = 0; i < run.sites.size() && i < run.site_costs.size(); ++i) {
    const emulator::AccessSite& site = run.sites[i];
    if (run.site_costs[i].executions == 0) continue;
    LineCost* cost = line_of(site.source);
    if (cost == nullptr) continue;
    const bool load = site.kind == emulator::AccessKind::kLoad;
    if (site.space == ptx::Space::kShared) {
      cost->shared += run.site_costs[i];
      if (i < chip.size()) cost->chip_shared += chip[i];
    } else if (site.space == ptx::Space::kGlobal || site.space == ptx::Space::kGeneric) {
      (load ? cost->load : cost->store) += run.site_costs[i];
      if (i < chip.size()) (load ? cost->chip_load : cost->chip_store) += chip[i];
    }
  }
  std::vector<LineCost> out;
  for (auto& [line, cost] : lines) out.push_back(cost);
  return out;
}

std::vector<PtxLineCost> ptx_line_costs(const CompiledKernel& kernel,
                                        const std::vector<emulator::InstructionCount>& counts) {
  std::vector<PtxLineCost> out;
  const std::vector<ptx::Instruction>& body = kernel.program.function().body;
  for (size_t i = 0; i < body.size() && i < counts.size(); ++i) {
    // A line may hold several instructions.
    if (out.empty() || out.back().ptx_line != body[i].ptx_line) {
      out.push_back(
          {.ptx_line = body[i].ptx_line,
           .line = line_in_file(kernel.program.module(), body[i].source, kernel.file->file_name)});
    }
    out.back().warp_instructions += counts[i].warps;
    out.back().lane_instructions += counts[i].lanes;
  }
  return out;
}

std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t> order_of(
    const emulator::ThreadPlace& who) {
  return {who.block.z, who.block.y, who.block.x, who.thread.z, who.thread.y, who.thread.x};
}

constexpr size_t kMostFindings = 64;  // per launch, before findings on a line are merged

// Merges the findings of one mistake, reported for the first thread.
std::vector<emulator::Finding> by_source_line(std::vector<emulator::Finding> findings) {
  std::vector<emulator::Finding> out;
  for (emulator::Finding& finding : findings) {
    const auto same = std::find_if(out.begin(), out.end(), [&](const emulator::Finding& other) {
      return same_mistake(other, finding);
    });
    if (same == out.end()) {
      out.push_back(std::move(finding));
      continue;
    }
    const uint64_t count = same->count + finding.count;
    if (std::pair(finding.severity, order_of(finding.who)) <
        std::pair(same->severity, order_of(same->who)))
      *same = std::move(finding);
    same->count = count;
  }
  return out;
}

// Blocks per wave on the whole GPU. Register counts are those of today's back end; a block too
// large for the GPU counts as one per SM.
uint64_t resident_blocks(const models::GpuProfile& gpu, const KernelRun& run) {
  const timing::Occupancy fits = timing::occupancy(
      gpu, {.threads_per_block = static_cast<int>(std::min<uint64_t>(run.block.count(), 1 << 20)),
            .registers_per_thread = run.registers,
            .static_shared_bytes = run.static_shared_bytes,
            .dynamic_shared_bytes = run.dynamic_shared_bytes});
  return static_cast<uint64_t>(std::max(fits.blocks_per_sm, 1)) *
         static_cast<uint64_t>(gpu.sm_count);
}

}  // namespace

namespace {
constexpr uint64_t kTimelineInstructions = 20'000'000;  // by warps
}  // namespace

emulator::MachineLimits limits_of(const models::GpuProfile& gpu) {
  emulator::MachineLimits limits;
  limits.max_threads_per_block = static_cast<uint32_t>(gpu.max_threads_per_block);
  limits.max_shared_bytes = std::max(gpu.shared_bytes_per_block_optin, gpu.shared_bytes_per_block);
  // Keep today's grid size: a chip limited to smaller grids runs the same blocks in more launches,
  // and the labs compare those blocks' accesses.
  limits.independent_threads = gpu.capability.major >= 7;
  // CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
  constexpr int kFirstWithClusters = 9;
  if (gpu.capability.major < kFirstWithClusters) limits.max_cluster_blocks = 0;
  if (gpu.capability.major >= 12) limits.max_cluster_blocks = emulator::kPortableClusterBlocks;
  return limits;
}

timing::Occupancy occupancy_of(const CompiledKernel& kernel, const emulator::LaunchConfig& config,
                               const models::GpuProfile& gpu) {
  if (kernel.resources == nullptr) return {};
  timing::OccupancyInput block{
      .threads_per_block = static_cast<int>(std::min<uint64_t>(config.block.count(), 1 << 20)),
      .registers_per_thread = kernel.resources->registers,
      .static_shared_bytes = kernel.resources->static_shared_bytes,
      .dynamic_shared_bytes = config.dynamic_shared_bytes};
  timing::Occupancy out = timing::occupancy(gpu, block);
  // For GPUs too old for the compiler, the count is a newer one's.
  if (out.limit_registers > 0 || compiler_knows(gpu)) return out;
  block.registers_per_thread = timing::estimated_registers(kernel.program, gpu, block);
  out = timing::occupancy(gpu, block);
  out.registers_note = sentence(
      "{registers} registers per thread are an estimate: the {counted} of a newer GPU's compiler "
      "do not fit, and one for {gpu} would have used fewer",
      {{"registers", block.registers_per_thread},
       {"counted", kernel.resources->registers},
       {"gpu", gpu.name}});
  out.reason.then(out.registers_note, "; ");
  return out;
}

Result<timing::MemoryTimeline> memory_timeline_of(const CompiledKernel& kernel,
                                                  emulator::DeviceMemory& memory,
                                                  const emulator::LaunchConfig& config,
                                                  const models::GpuProfile& gpu,
                                                  const KernelRun& run, uint64_t most_transactions,
                                                  const StopFlag* stop) {
  if (config.cooperative) {
    return make_error("memory", sentence("the blocks of a cooperative launch wait for each other: "
                                         "a few of them cannot be played over time"));
  }
  if (emulator::runs_in_clusters(kernel.program, config)) {
    return make_error("memory", sentence("the blocks of a cluster wait for each other: a few of "
                                         "them cannot be played over time"));
  }
  // Estimate by sectors, the smallest transactions of any generation but the first, and take no
  // more blocks than can be emulated in about a second.
  const uint64_t grid = config.grid.count();
  const uint64_t sectors = run.counters.moved_sectors() / grid;
  const uint64_t instructions = std::max<uint64_t>(1, run.warp_instructions / grid);
  const uint64_t wave = resident_blocks(gpu, run);
  uint64_t blocks = sectors == 0 ? 1 : most_transactions / sectors;
  blocks = std::clamp<uint64_t>(std::min(blocks, kTimelineInstructions / instructions), 1, grid);
  if (blocks < grid && blocks > wave) blocks -= blocks % wave;

  // Reserve for the worst case: the oldest chips make one transaction per lane.
  timing::ModelCounter counter(gpu, wave, 32 * most_transactions);
  emulator::LaunchOptions options;
  options.limits = limits_of(gpu);
  options.threads = 1;
  options.watch_global_races = false;
  options.accesses = &counter;
  options.stop = stop;
  for (uint64_t block = 0; block < blocks; ++block) options.blocks.push_back(block);
  const Result<emulator::LaunchResult> launched =
      emulator::launch(kernel.program, memory, config, options);
  if (!launched.ok()) return launched.errors();
  if (launched->stopped)
    return make_error("stopped", sentence("stopped before the memory was played"));
  const auto records = counter.records();
  if (!records) {
    return make_error("memory",
                      sentence("one block makes more transactions than can be played over time"));
  }
  uint32_t element = 8;
  for (const emulator::AccessSite& site : run.sites) {
    if (site.space == ptx::Space::kGlobal || site.space == ptx::Space::kGeneric)
      element = std::min<uint32_t>(element, site.element_bytes);
  }
  timing::MemoryTimeline timeline = timing::memory_timeline(gpu, *records, element);
  timeline.blocks = blocks;
  timeline.grid_blocks = grid;
  return timeline;
}

namespace {

// What the frame in local memory holds beyond the function's own arrays, which PTX declares. Values
// are spilled in words of 4 bytes.
uint32_t spill_bytes_of(const CompiledKernel& kernel) {
  uint64_t declared = 0;
  for (const ptx::Variable& variable : kernel.program.function().variables) {
    if (variable.space == ptx::Space::kLocal) declared += (variable.size_bytes + 7) / 8 * 8;
  }
  const uint64_t frame = kernel.resources->local_bytes;
  return frame > declared ? static_cast<uint32_t>(frame - declared) : 0;
}

}  // namespace

Result<KernelRun> run_kernel(const CompiledKernel& kernel, emulator::DeviceMemory& memory,
                             const emulator::LaunchConfig& config, const models::GpuProfile& gpu,
                             const KernelRunOptions& options) {
  KernelRun run;
  run.kernel = kernel.name;
  run.file_name = kernel.file->file_name;
  run.grid = config.grid;
  run.block = config.block;
  run.dynamic_shared_bytes = config.dynamic_shared_bytes;
  run.static_shared_bytes = static_cast<uint32_t>(kernel.program.static_shared_bytes());
  run.ptx = kernel.file->ptx;
  // The file that owns it lives as long.
  if (!kernel.file->cubin.empty()) run.cubin = {kernel.file, &kernel.file->cubin};
  run.sites = kernel.program.access_sites();

  const uint64_t threads = config.block.count();
  if (kernel.resources != nullptr) {
    run.static_shared_bytes = kernel.resources->static_shared_bytes;
    run.spill_bytes = spill_bytes_of(kernel);
    run.occupancy = occupancy_of(kernel, config, gpu);
    run.registers = run.occupancy.registers_per_thread;
    // The emulator has unlimited registers, but the GPU would refuse this launch.
    const bool fits_otherwise =
        threads > 0 && threads <= static_cast<uint64_t>(gpu.max_threads_per_block);
    const bool known = compiler_knows(gpu);
    if (known && fits_otherwise && run.occupancy.limit_registers == 0) {
      return make_error(
          "launch",
          sentence("the block needs more registers than {gpu} has: {threads} threads × {registers} "
                   "registers, {most} per block at most",
                   {{"gpu", gpu.name},
                    {"threads", threads},
                    {"registers", run.registers},
                    {"most", gpu.registers_per_block}}),
          sentence("make the block smaller, or give the kernel __launch_bounds__({threads})",
                   {{"threads", threads}}));
    }
  }

  // CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
  constexpr int kFirstCooperative = 6;
  if (config.cooperative && gpu.capability.major < kFirstCooperative) {
    return make_error("launch",
                      sentence("{gpu} does not support cooperative launches", {{"gpu", gpu.name}}),
                      sentence("choose a GPU of compute capability 6.0 or newer"));
  }

  timing::AccessCounter counter({.blocks = options.record_blocks});
  emulator::LaunchOptions launch_options;
  launch_options.limits = limits_of(gpu);
  if (config.cooperative) {
    launch_options.limits.multiprocessors = static_cast<uint32_t>(gpu.sm_count);
    if (kernel.resources != nullptr)
      launch_options.limits.resident_blocks = resident_blocks(gpu, run);
  }
  launch_options.threads = options.threads;
  launch_options.ends_at_block_races = true;
  launch_options.instruction_budget = options.instruction_budget;
  launch_options.order_seed = options.order_seed;
  // One more than is kept, to detect that there are further ones.
  launch_options.max_findings = kMostFindings + 1;
  launch_options.accesses = &counter;
  std::optional<timing::ModelCounter> model;
  std::optional<timing::AccessTee> both, all;
  if (options.model_gpu != nullptr) {
    model.emplace(*options.model_gpu, resident_blocks(*options.model_gpu, run));
    launch_options.accesses = &both.emplace(counter, *model);
  }
  std::optional<timing::ModelCounter> chip;
  if (models::has_rules_of_its_own(gpu)) {
    chip.emplace(gpu, resident_blocks(gpu, run), 0);  // counts alone, nothing over time
    launch_options.accesses = &all.emplace(*launch_options.accesses, *chip);
  }
  launch_options.prints = options.prints;
  launch_options.stop = options.stop;
  launch_options.progress = options.progress;
  Result<emulator::LaunchResult> launched =
      emulator::launch(kernel.program, memory, config, launch_options);
  if (!launched.ok()) return launched.errors();
  run.needs_one_thread = launched->blocks_raced;
  if (run.needs_one_thread) return run;

  run.counters = counter.totals();
  if (model) run.model = model->figures();
  if (chip) run.chip = chip->figures();
  run.site_costs = counter.by_site();
  run.contention = counter.contention();
  name_words(run.contention, kernel.program, memory, kernel.file->source);
  run.records = counter.records();
  run.records_truncated = counter.records_truncated();
  run.more_findings = launched->findings.size() > kMostFindings;
  if (run.more_findings) launched->findings.resize(kMostFindings);
  run.findings = by_source_line(std::move(launched->findings));
  run.tensor_products = emulator::tensor_products(kernel.program);
  name_local_arrays(kernel.file->source, kernel.file->file_name, run.findings);
  run.printed = std::move(launched->printed);
  run.printed_calls = std::move(launched->printed_calls);
  run.printed_dropped = launched->printed_dropped;
  run.completed = launched->completed;
  run.thread_instructions = launched->thread_instructions;
  run.warp_instructions = launched->warp_instructions;
  run.copy_groups_in_flight = launched->copy_groups_in_flight;
  run.seconds = launched->seconds;
  run.longest_warp = launched->longest_warp;
  run.squared_work = launched->squared_work;
  run.remote_requests = launched->remote_requests;
  run.instructions = timing::count_instructions(kernel.program.function(), launched->instructions);
  for (const emulator::LaunchResult::Called& called : launched->called)
    run.instructions += timing::count_instructions(*called.function, called.instructions);
  run.lines = line_costs(kernel, run, chip ? chip->by_site() : std::vector<timing::ModelSite>{},
                         launched->instructions);
  run.ptx_lines = ptx_line_costs(kernel, launched->instructions);
  return run;
}

}  // namespace warpshop::lab
