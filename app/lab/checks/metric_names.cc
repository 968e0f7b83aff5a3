#include "lab/metric_names.h"

#include <algorithm>

namespace warpshop::lab {
namespace {

using emulator::AccessKind;
using ptx::Space;

// Sums one cost over the sites of one space and kind.
double sum(const KernelRun& run, Space space, AccessKind kind,
           uint64_t timing::SiteCounters::*field) {
  uint64_t total = 0;
  for (size_t i = 0; i < run.sites.size() && i < run.site_costs.size(); ++i) {
    const emulator::AccessSite& site = run.sites[i];
    const bool global = space == Space::kGlobal && site.space == Space::kGeneric;
    if ((site.space == space || global) && site.kind == kind) total += run.site_costs[i].*field;
  }
  return static_cast<double>(total);
}

// Local memory is interleaved so that the same word of all lanes of a warp is contiguous: 128
// bytes, 4 sectors. CUDA C++ Programming Guide, "Device Memory Accesses", Local Memory.
double local_sectors(const KernelRun& run) {
  return 4.0 * static_cast<double>(run.counters.local_load_instructions +
                                   run.counters.local_store_instructions);
}

struct Figure {
  MetricName info;
  double (*value)(const KernelRun& run);
};

const std::vector<Figure>& figures() {
  static const std::vector<Figure> kFigures = {
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
      {{"registers", "register", "Registers a thread, as the back end allocated them"},
       [](const KernelRun& r) { return double(r.registers); }},
      {{"static_shared", "byte", "Shared memory a block declares in the kernel"},
       [](const KernelRun& r) { return double(r.static_shared_bytes); }},
      {{"dynamic_shared", "byte", "Shared memory a block asks for in its launch"},
       [](const KernelRun& r) { return double(r.dynamic_shared_bytes); }},
      {{"shared_memory", "byte", "Shared memory of a block: static_shared and dynamic_shared"},
       [](const KernelRun& r) {
         return double(r.static_shared_bytes) + double(r.dynamic_shared_bytes);
       }},
      {{"memory_sectors", "sector",
        "Sectors of all loads, stores and atomics of global memory, and four of each local access"},
       [](const KernelRun& r) {
         const timing::Counters& c = r.counters;
         return double(c.global_load_sectors + c.global_store_sectors + c.global_reduction_sectors +
                       c.global_atomic_sectors) +
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
  };
  return kFigures;
}

}  // namespace

const std::vector<MetricName>& metric_names() {
  static const std::vector<MetricName> kNames = [] {
    std::vector<MetricName> names;
    for (const timing::CounterInfo& counter : timing::counter_table()) {
      names.push_back(
          {std::string(counter.name), std::string(counter.unit), std::string(counter.meaning)});
    }
    for (const timing::InstructionCountInfo& count : timing::instruction_count_table()) {
      names.push_back(
          {std::string(count.name), std::string(count.unit), std::string(count.meaning)});
    }
    for (const Figure& figure : figures()) names.push_back(figure.info);
    for (const timing::ModelFigureInfo& figure : timing::model_figure_table()) {
      names.push_back(
          {std::string(figure.name), std::string(figure.unit), std::string(figure.meaning)});
    }
    return names;
  }();
  return kNames;
}

bool is_metric_name(std::string_view name) {
  if (name.starts_with("reference.")) name.remove_prefix(10);
  return std::any_of(metric_names().begin(), metric_names().end(),
                     [&](const MetricName& known) { return known.name == name; });
}

bool is_model_metric(std::string_view name) {
  if (name.starts_with("reference.")) name.remove_prefix(10);
  const auto& table = timing::model_figure_table();
  return std::any_of(table.begin(), table.end(),
                     [&](const timing::ModelFigureInfo& known) { return known.name == name; });
}

std::optional<double> metric_value(const KernelRun& run, std::string_view name) {
  for (const timing::CounterInfo& counter : timing::counter_table()) {
    if (counter.name == name) return static_cast<double>(run.counters.*counter.field);
  }
  for (const timing::InstructionCountInfo& count : timing::instruction_count_table()) {
    if (count.name == name) return static_cast<double>(run.instructions.*count.field);
  }
  for (const Figure& figure : figures()) {
    if (figure.info.name == name) return figure.value(run);
  }
  for (const timing::ModelFigureInfo& figure : timing::model_figure_table()) {
    if (figure.name == name && run.model) return figure.value(*run.model);
  }
  return std::nullopt;
}

}  // namespace warpshop::lab
