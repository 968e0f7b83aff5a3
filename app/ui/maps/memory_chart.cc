#include "maps/memory_chart.h"

#include <cmath>

#include "maps/csv_tables.h"
#include "models/transactions.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

using timing::MemoryFlow;
using timing::MemoryUse;
using timing::UseFlow;
using Way = ChartArrow::Way;

// The memory flows of both kernels; the reference's may be unknown.
struct Flows {
  const MemoryFlow& yours;
  const MemoryFlow* reference;
  template <typename Get>
  ChartFigure figure(Get get) const {
    ChartFigure out{.yours = get(yours), .reference = {}};
    if (reference) out.reference = get(*reference);
    return out;
  }
};

UseFlow sum_of(const MemoryFlow& flow, std::initializer_list<MemoryUse> uses) {
  UseFlow sum;
  for (const MemoryUse use : uses) {
    sum.requests += flow[use].requests;
    sum.sectors += flow[use].sectors;
    sum.hits += flow[use].hits;
    sum.wavefronts += flow[use].wavefronts;
  }
  return sum;
}

// The traffic that the kernel's instructions request for some uses of memory.
ChartArrow asked_of(const Flows& flows, std::string_view name, Way way,
                    std::initializer_list<MemoryUse> uses, const MetricWords& words) {
  ChartArrow arrow{.name = name,
                   .way = way,
                   .requests = {},
                   .sectors = {},
                   .wavefronts = {},
                   .bytes = {},
                   .words = &words};
  arrow.requests = flows.figure([&](const MemoryFlow& f) { return sum_of(f, uses).requests; });
  arrow.sectors = flows.figure([&](const MemoryFlow& f) { return sum_of(f, uses).sectors; });
  arrow.wavefronts = flows.figure([&](const MemoryFlow& f) { return sum_of(f, uses).wavefronts; });
  arrow.bytes = flows.figure([&](const MemoryFlow& f) { return 32 * sum_of(f, uses).sectors; });
  return arrow;
}

void add_arrow(ChartRow& row, ChartArrow arrow) {
  if (!arrow.requests.any() && !arrow.bytes.any()) return;
  arrow.box = row.boxes.size() - 1;
  row.arrows.push_back(arrow);
}

ChartArrow moved_at(const Flows& flows, std::string_view name, Way way, double MemoryFlow::*bytes,
                    const MetricWords& words) {
  return {.name = name,
          .way = way,
          .requests = {},
          .sectors = {},
          .wavefronts = {},
          .bytes = flows.figure([&](const MemoryFlow& f) { return f.*bytes; }),
          .words = &words};
}

// The kernel's instructions, and the first level that serves them.
ChartRow kernel_row(const Flows& flows) {
  const MemoryFlow& mine = flows.yours;
  ChartRow row;
  ChartBox l1{.name = mine.has_l1 ? tr_later("L1") : tr_later("no L1 for global memory"),
              .cache = mine.has_l1,
              .words = &metric::kL1HitRate};
  l1.hit_rate = mine.l1_hit_rate();
  if (flows.reference) l1.reference_hit_rate = flows.reference->l1_hit_rate();
  row.boxes.push_back(l1);
  add_arrow(row, asked_of(flows, tr_later("global loads"), Way::kUp, {MemoryUse::kGlobalLoad},
                          metric::kAskedBytes));
  add_arrow(row, asked_of(flows, tr_later("global stores"), Way::kDown, {MemoryUse::kGlobalStore},
                          metric::kAskedBytes));
  add_arrow(row, asked_of(flows, tr_later("atomics"), Way::kBoth, {MemoryUse::kGlobalAtomic},
                          metric::kAskedBytes));
  add_arrow(row, asked_of(flows, tr_later("local memory"), Way::kBoth,
                          {MemoryUse::kLocalLoad, MemoryUse::kLocalStore}, metric::kAskedBytes));
  const ChartArrow fetches = asked_of(flows, tr_later("texture fetches"), Way::kUp,
                                      {MemoryUse::kTexture}, metric::kAskedBytes);
  if (!mine.has_l1 && mine.has_texture_l1 && fetches.requests.any()) {
    const auto rate = [](const MemoryFlow& f) -> std::optional<double> {
      const UseFlow& use = f[MemoryUse::kTexture];
      return use.sectors > 0 ? std::optional(use.hits / use.sectors) : std::nullopt;
    };
    if (row.arrows.empty()) row.boxes.clear();
    row.boxes.push_back(
        {.name = tr_later("texture cache"),
         .hit_rate = rate(mine),
         .reference_hit_rate = flows.reference ? rate(*flows.reference) : std::nullopt,
         .words = &metric::kL1HitRate});
  }
  add_arrow(row, fetches);
  const ChartArrow shared =
      asked_of(flows, tr_later("shared memory"), Way::kBoth,
               {MemoryUse::kSharedLoad, MemoryUse::kSharedStore, MemoryUse::kSharedAtomic},
               metric::kAllWavefronts);
  if (shared.requests.any()) {
    if (row.arrows.empty()) row.boxes.clear();
    row.boxes.push_back({.name = tr_later("shared memory")});
    add_arrow(row, shared);
  }
  return row;
}

// L2; on the oldest chips, the second level of the texture cache if it is used.
std::optional<ChartRow> l2_row(const Flows& flows, const models::GpuProfile& gpu) {
  const MemoryFlow& mine = flows.yours;
  ChartRow row;
  if (mine.has_l2) {
    row.boxes.push_back(
        {.name = tr_later("L2"),
         .hit_rate = mine.l2_hit_rate(),
         .reference_hit_rate = flows.reference ? flows.reference->l2_hit_rate() : std::nullopt,
         .looked_up_bytes = 32 * mine.l2_read_sectors,
         .size_bytes = gpu.l2_bytes.value_or(0),
         .words = &metric::kL2HitRate});
  } else if (mine.texture_l2_lookups > 0) {
    row.boxes.push_back({.name = tr_later("texture cache at the partitions"),
                         .hit_rate = mine.texture_l2_hits / mine.texture_l2_lookups,
                         .words = &metric::kL2HitRate});
  } else {
    return std::nullopt;
  }
  add_arrow(
      row, moved_at(flows, tr_later("reads"), Way::kUp, &MemoryFlow::read_bytes, metric::kL2Bytes));
  add_arrow(row, moved_at(flows, tr_later("writes"), Way::kDown, &MemoryFlow::write_bytes,
                          metric::kL2Bytes));
  add_arrow(row, moved_at(flows, tr_later("atomics"), Way::kBoth, &MemoryFlow::atomic_bytes,
                          metric::kL2Bytes));
  return row;
}

std::optional<ChartLevel> worst_level(const Flows& flows, const MemoryChart& chart) {
  const auto asked_bytes = [](const MemoryFlow& f) {
    return 32 * (f.l1_sectors() + f[MemoryUse::kGlobalStore].sectors +
                 f[MemoryUse::kLocalStore].sectors + f[MemoryUse::kGlobalAtomic].sectors);
  };
  std::optional<ChartLevel> worst;
  for (const ChartLevel& level :
       {ChartLevel{tr_later("the reference's bytes between DRAM and the chip"), chart.dram_bytes,
                   &metric::kDramBytes},
        ChartLevel{tr_later("the reference's bytes between L2 and the SMs"), chart.l2_bytes,
                   &metric::kL2Bytes},
        ChartLevel{tr_later("the bytes that the reference's instructions touch"),
                   flows.figure(asked_bytes), &metric::kAskedBytes}}) {
    if (level.bytes.worse() && level.ratio() > 0 &&
        (!worst || level.ratio() > 1.001 * worst->ratio()))
      worst = level;
  }
  return worst;
}

}  // namespace

MemoryChart memory_chart(const lab::SizeResult& size, const models::GpuProfile& gpu) {
  MemoryChart chart;
  if (!size.student.prediction) return chart;
  const Flows flows{size.student.prediction->flow,
                    size.reference.prediction ? &size.reference.prediction->flow : nullptr};
  chart.own_rules = models::has_rules_of_its_own(gpu);
  chart.dram_bytes = flows.figure([](const MemoryFlow& f) { return f.dram_bytes(); });
  chart.l2_bytes = flows.figure([](const MemoryFlow& f) { return f.l2_bytes(); });
  chart.worst = worst_level(flows, chart);
  ChartRow first = kernel_row(flows);
  if (first.arrows.empty()) return chart;
  chart.rows.push_back(std::move(first));
  if (std::optional<ChartRow> second = l2_row(flows, gpu)) chart.rows.push_back(std::move(*second));
  ChartRow dram{.boxes = {{.name = tr_later("DRAM")}}, .arrows = {}};
  add_arrow(dram, moved_at(flows, tr_later("reads"), Way::kUp, &MemoryFlow::dram_read_bytes,
                           metric::kDramBytes));
  add_arrow(dram, moved_at(flows, tr_later("writes"), Way::kDown, &MemoryFlow::dram_write_bytes,
                           metric::kDramBytes));
  chart.rows.push_back(std::move(dram));
  return chart;
}

std::string memory_csv(const MemoryChart& chart) {
  CsvTable table({"between", "and", "what", "unit", "yours", "reference"});
  const auto whole = [](double value) { return std::to_string(std::llround(value)); };
  std::string above = "kernel";
  for (const ChartRow& row : chart.rows) {
    for (const ChartArrow& arrow : row.arrows) {
      const std::pair<const char*, const ChartFigure*> figures[] = {
          {"requests", &arrow.requests},
          {"sectors", &arrow.sectors},
          {"wavefronts", &arrow.wavefronts},
          {"bytes", &arrow.bytes}};
      for (const auto& [unit, figure] : figures) {
        if (!figure->any()) continue;
        table.row({above, std::string(row.boxes[arrow.box].name), std::string(arrow.name), unit,
                   whole(figure->yours), figure->reference ? whole(*figure->reference) : ""});
      }
    }
    for (const ChartBox& box : row.boxes) {
      if (!box.hit_rate) continue;
      const auto percent = [](const std::optional<double>& rate) {
        return rate ? fraction_text(*rate * 100) : "";
      };
      table.row({std::string(box.name), "", "hit rate", "%", percent(box.hit_rate),
                 percent(box.reference_hit_rate)});
    }
    above = row.boxes.front().name;
  }
  return table.text();
}

}  // namespace warpshop::ui
