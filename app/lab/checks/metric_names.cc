#include "lab/metric_names.h"

#include <algorithm>
#include <functional>

namespace warpshop::lab {
namespace {

using emulator::AccessKind;
using emulator::AccessPath;
using ptx::Space;

// A request of a warp with 16 bytes per lane.
constexpr double kSectorsOfRequest = 16;

// Sums one cost over the ordinary accesses of one space and kind, as the counters do: loads by
// cp.async are among those of global memory.
double sum(const KernelRun& run, Space space, AccessKind kind,
           uint64_t timing::SiteCounters::*field) {
  uint64_t total = 0;
  for (size_t i = 0; i < run.sites.size() && i < run.site_costs.size(); ++i) {
    const emulator::AccessSite& site = run.sites[i];
    const bool global = space == Space::kGlobal && site.space == Space::kGeneric;
    const bool counts = site.path == AccessPath::kOrdinary ||
                        (space == Space::kGlobal && site.path == AccessPath::kAsyncCopy);
    if ((site.space == space || global) && site.kind == kind && counts)
      total += run.site_costs[i].*field;
  }
  return static_cast<double>(total);
}

// Wavefronts of shared stores, or only of asynchronous copies, beyond those of their width.
double store_conflicts(const KernelRun& run, bool copies_only) {
  uint64_t total = 0;
  for (size_t i = 0; i < run.sites.size() && i < run.site_costs.size(); ++i) {
    const emulator::AccessSite& site = run.sites[i];
    if (site.kind != AccessKind::kStore) continue;
    if (copies_only && site.path != AccessPath::kAsyncCopy) continue;
    total += run.site_costs[i].wavefronts - run.site_costs[i].wavefronts_ideal;
  }
  return static_cast<double>(total);
}

// Local memory is interleaved so that the same word of all lanes of a warp is contiguous: 128
// bytes, 4 sectors. CUDA C++ Programming Guide, "Device Memory Accesses", Local Memory.
double local_sectors(const KernelRun& run) {
  return 4.0 * static_cast<double>(run.counters.local_load_instructions +
                                   run.counters.local_store_instructions);
}

struct Metric {
  MetricName info;
  std::function<std::optional<double>(const KernelRun& run)> value;
  bool of_model = false;  // counted by the rules of the exercise's model GPU
};

// What is known about a run besides its counters.
const std::vector<Metric>& figures() {
  static const std::vector<Metric> kFigures = {
      {{"ideal.global_load_sectors", "sector",
        "Fewest sectors the global loads' bytes would fit in"},
       [](const KernelRun& r) {
         return sum(r, Space::kGlobal, AccessKind::kLoad, &timing::SiteCounters::sectors_ideal);
       }},
      {{"ideal.global_store_sectors", "sector",
        "Fewest sectors the global stores' bytes would fit in"},
       [](const KernelRun& r) {
         return sum(r, Space::kGlobal, AccessKind::kStore, &timing::SiteCounters::sectors_ideal);
       }},
      {{"ideal.shared_load_wavefronts", "wavefront",
        "Wavefronts that the width of the shared loads alone takes"},
       [](const KernelRun& r) {
         return sum(r, Space::kShared, AccessKind::kLoad, &timing::SiteCounters::wavefronts_ideal);
       }},
      {{"ideal.shared_store_wavefronts", "wavefront",
        "Wavefronts that the width of the shared stores alone takes"},
       [](const KernelRun& r) {
         return sum(r, Space::kShared, AccessKind::kStore, &timing::SiteCounters::wavefronts_ideal);
       }},
      {{"shared_store_conflicts", "wavefront",
        "Wavefronts of shared stores and asynchronous copies beyond those that their width takes"},
       [](const KernelRun& r) { return store_conflicts(r, false); }},
      {{"copy_conflicts", "wavefront",
        "Those of asynchronous copies, which the counters of stores leave out"},
       [](const KernelRun& r) { return store_conflicts(r, true); }},
      {{"bulk_load_bytes", "byte",
        "Bytes that copies in bulk and tensor copies read from global memory, 32 per sector"},
       [](const KernelRun& r) { return 32 * double(r.counters.bulk_load_sectors); }},
      {{"bulk_load_requests", "request",
        "Their requests, if warps loaded as much with 16 bytes per lane"},
       [](const KernelRun& r) { return double(r.counters.bulk_load_sectors) / kSectorsOfRequest; }},
      {{"bulk_store_requests", "request",
        "Those of copies in bulk and tensor copies to global memory, reductions included"},
       [](const KernelRun& r) {
         return double(r.counters.bulk_store_sectors + r.counters.bulk_reduction_sectors) /
                kSectorsOfRequest;
       }},
      {{"remote_requests", "request",
        "Warp instructions that access shared memory of other blocks of the cluster"},
       [](const KernelRun& r) { return double(r.remote_requests); }},
      {{"registers", "register", "Registers a thread, as the back end allocated them"},
       [](const KernelRun& r) { return double(r.registers); }},
      {{"spill_bytes", "byte", "Local memory a thread needs for values that found no register"},
       [](const KernelRun& r) { return double(r.spill_bytes); }},
      {{"async_groups_in_flight", "group",
        "Committed groups of asynchronous copies in flight during a quarter of the reads of "
        "shared memory; groups much smaller than the largest do not count"},
       [](const KernelRun& r) { return double(r.copy_groups_in_flight); }},
      {{"static_shared", "byte", "Shared memory a block declares in the kernel"},
       [](const KernelRun& r) { return double(r.static_shared_bytes); }},
      {{"dynamic_shared", "byte", "Shared memory a block asks for in its launch"},
       [](const KernelRun& r) { return double(r.dynamic_shared_bytes); }},
      {{"shared_memory", "byte", "Shared memory of a block: static_shared and dynamic_shared"},
       [](const KernelRun& r) {
         return double(r.static_shared_bytes) + double(r.dynamic_shared_bytes);
       }},
      {{"memory_sectors", "sector",
        "Sectors of all loads, stores, atomics and copies in bulk of global memory, and four of "
        "each local access"},
       [](const KernelRun& r) {
         const timing::Counters& c = r.counters;
         return double(c.global_load_sectors + c.global_store_sectors + c.global_reduction_sectors +
                       c.global_atomic_sectors + c.bulk_sectors()) +
                local_sectors(r);
       }},
      {{"occupancy_pct", "%", "Theoretical occupancy: active warps of an SM's most"},
       [](const KernelRun& r) { return r.occupancy.fraction * 100; }},
      {{"blocks_per_sm", "block", "Blocks that share an SM"},
       [](const KernelRun& r) { return double(r.occupancy.blocks_per_sm); }},
      {{"warps_per_sm", "warp", "Warps that share an SM"},
       [](const KernelRun& r) { return double(r.occupancy.warps_per_sm); }},
      {{"blocks", "block", "Blocks of the grid"},
       [](const KernelRun& r) { return double(r.grid.count()); }},
      {{"threads_per_block", "thread", "Threads of a block"},
       [](const KernelRun& r) { return double(r.block.count()); }},
      {{"threads", "thread", "Threads of the grid"},
       [](const KernelRun& r) { return double(r.grid.count()) * double(r.block.count()); }},
      {{"grid_x", "block", "Blocks of the grid along x"},
       [](const KernelRun& r) { return double(r.grid.x); }},
      {{"grid_y", "block", "Blocks of the grid along y"},
       [](const KernelRun& r) { return double(r.grid.y); }},
      {{"grid_z", "block", "Blocks of the grid along z"},
       [](const KernelRun& r) { return double(r.grid.z); }},
      {{"block_x", "thread", "Threads of a block along x"},
       [](const KernelRun& r) { return double(r.block.x); }},
      {{"block_y", "thread", "Threads of a block along y"},
       [](const KernelRun& r) { return double(r.block.y); }},
      {{"block_z", "thread", "Threads of a block along z"},
       [](const KernelRun& r) { return double(r.block.z); }},
      {{"thread_instructions", "instruction", "PTX instructions executed, times active lanes"},
       [](const KernelRun& r) { return double(r.thread_instructions); }},
      {{"warp_instructions", "instruction", "PTX instructions executed by warps"},
       [](const KernelRun& r) { return double(r.warp_instructions); }},
      {{"longest_warp", "instruction", "PTX instructions of the warp that executed most"},
       [](const KernelRun& r) { return double(r.longest_warp); }},
  };
  return kFigures;
}

template <typename Row>
MetricName info_of(const Row& row) {
  return {std::string(row.name), std::string(row.unit), std::string(row.meaning)};
}

// Every metric: the tables of counters, then the figures.
const std::vector<Metric>& metrics() {
  static const std::vector<Metric> kMetrics = [] {
    std::vector<Metric> out;
    for (const timing::CounterInfo& row : timing::counter_table())
      out.push_back({info_of(row), [&row](const KernelRun& r) { return r.counters.*row.field; }});
    for (const timing::InstructionCountInfo& row : timing::instruction_count_table())
      out.push_back(
          {info_of(row), [&row](const KernelRun& r) { return r.instructions.*row.field; }});
    out.insert(out.end(), figures().begin(), figures().end());
    for (const timing::ModelFigureInfo& row : timing::model_figure_table())
      out.push_back(
          {info_of(row),
           [&row](const KernelRun& r) { return r.model ? row.value(*r.model) : std::nullopt; },
           true});
    return out;
  }();
  return kMetrics;
}

const Metric* find_metric(std::string_view name) {
  const auto found = std::find_if(metrics().begin(), metrics().end(),
                                  [&](const Metric& metric) { return metric.info.name == name; });
  return found == metrics().end() ? nullptr : &*found;
}

// Of either run of an exercise.
const Metric* find_of_run(std::string_view name) {
  return find_metric(name.starts_with("reference.") ? name.substr(10) : name);
}

}  // namespace

const std::vector<MetricName>& metric_names() {
  static const std::vector<MetricName> kNames = [] {
    std::vector<MetricName> names;
    for (const Metric& metric : metrics()) names.push_back(metric.info);
    return names;
  }();
  return kNames;
}

bool is_metric_name(std::string_view name) { return find_of_run(name) != nullptr; }

bool is_model_metric(std::string_view name) {
  const Metric* metric = find_of_run(name);
  return metric != nullptr && metric->of_model;
}

std::optional<double> metric_value(const KernelRun& run, std::string_view name) {
  const Metric* metric = find_metric(name);
  return metric == nullptr ? std::nullopt : metric->value(run);
}

}  // namespace warpshop::lab
