#include "maps/access_index.h"

#include <algorithm>
#include <cassert>

#include "timing/issue.h"

namespace warpshop::ui {
namespace {

bool same_warp(const emulator::WarpIdentity& a, const emulator::WarpIdentity& b) {
  return a.linear_block == b.linear_block && a.warp == b.warp;
}

}  // namespace

models::WarpRequest request_of(const lab::KernelRun& run, const AccessEntry& entry) {
  const timing::RecordedAccess& record = run.records[entry.record];
  const std::vector<models::WarpRequest> issued =
      timing::issued_requests(run.sites[record.access.site], record.access);
  assert(entry.part < issued.size());
  return issued[entry.part];
}

const emulator::AccessSite& site_of(const lab::KernelRun& run, const AccessEntry& entry) {
  return run.sites[run.records[entry.record].access.site];
}

AccessIndex index_accesses(const lab::KernelRun& run) {
  models::GpuProfile newest;
  newest.capability = {9, 0};
  return index_accesses(run, newest);
}

AccessIndex index_accesses(const lab::KernelRun& run, const models::GpuProfile& gpu) {
  AccessIndex index;
  index.entries.reserve(run.records.size());
  for (size_t i = 0; i < run.records.size(); ++i) {
    const timing::RecordedAccess& record = run.records[i];
    const emulator::AccessSite& site = run.sites[record.access.site];
    const bool shared = record.access.space == ptx::Space::kShared;
    if (!shared && record.access.space != ptx::Space::kGlobal) continue;
    size_t part = 0;
    for (const models::WarpRequest& request : timing::issued_requests(site, record.access)) {
      AccessEntry entry;
      entry.record = i;
      entry.part = part++;
      entry.line = student_line(site);
      if (site.source.call_file == site.source.file && site.source.line != entry.line)
        entry.within = site.source.line;
      entry.shared = shared;
      entry.kind = site.kind;
      const lab::AccessCost cost = lab::access_cost(gpu, site, shared, request);
      entry.cost = cost.cost;
      entry.ideal = cost.ideal;
      index.any_shared = index.any_shared || shared;
      if (index.warps.empty() || !same_warp(index.warps.back().warp, record.warp)) {
        index.warps.push_back({record.warp, index.entries.size(), 0});
      }
      index.entries.push_back(entry);
      ++index.warps.back().count;
    }
  }
  return index;
}

const WarpAccesses& AccessIndex::warp_of(size_t entry) const {
  assert(entry < entries.size());
  auto after = std::upper_bound(warps.begin(), warps.end(), entry,
                                [](size_t e, const WarpAccesses& w) { return e < w.first; });
  return *std::prev(after);
}

std::optional<size_t> AccessIndex::worst() const {
  if (entries.empty()) return std::nullopt;
  auto worst = std::max_element(
      entries.begin(), entries.end(),
      [](const AccessEntry& a, const AccessEntry& b) { return a.waste() < b.waste(); });
  return static_cast<size_t>(worst - entries.begin());
}

std::optional<size_t> AccessIndex::of_line(int line, std::optional<size_t> near) const {
  auto best_in = [&](size_t first, size_t count) {
    std::optional<size_t> best;
    for (size_t i = first; i < first + count; ++i) {
      if (entries[i].line != line) continue;
      if (!best || entries[i].waste() > entries[*best].waste()) best = i;
    }
    return best;
  };
  if (near && *near < entries.size()) {
    // Selecting the same line again moves to the line's next access.
    const WarpAccesses& warp = warp_of(*near);
    if (entries[*near].line == line) {
      for (size_t i = 1; i < warp.count; ++i) {
        const size_t at = warp.first + (*near - warp.first + i) % warp.count;
        const AccessEntry &a = entries[at], &b = entries[*near];
        if (a.line == line && (a.kind != b.kind || a.shared != b.shared)) return at;
      }
      return near;
    }
    if (auto best = best_in(warp.first, warp.count)) return best;
  }
  return best_in(0, entries.size());
}

std::optional<size_t> AccessIndex::of_global(uint64_t block, uint32_t warp, uint32_t step) const {
  for (const WarpAccesses& of : warps) {
    if (of.warp.linear_block != block || of.warp.warp != warp) continue;
    for (size_t i = of.first; i < of.first + of.count; ++i) {
      if (!entries[i].shared && step-- == 0) return i;
    }
  }
  return std::nullopt;
}

std::optional<uint32_t> AccessIndex::global_step(size_t entry) const {
  if (entries[entry].shared) return std::nullopt;
  uint32_t step = 0;
  for (size_t i = warp_of(entry).first; i < entry; ++i) step += !entries[i].shared;
  return step;
}

std::optional<size_t> AccessIndex::nearest(size_t entry, bool shared) const {
  const WarpAccesses& warp = warp_of(entry);
  const size_t place = entry - warp.first;
  for (size_t away = 0; away < warp.count; ++away) {
    if (away <= place && entries[entry - away].shared == shared) return entry - away;
    if (place + away < warp.count && entries[entry + away].shared == shared) return entry + away;
  }
  return std::nullopt;
}

size_t AccessIndex::in_same_warp(size_t entry, int by) const {
  const WarpAccesses& warp = warp_of(entry);
  const auto place = static_cast<int64_t>(entry - warp.first) + by;
  return warp.first +
         static_cast<size_t>(std::clamp<int64_t>(place, 0, static_cast<int64_t>(warp.count) - 1));
}

size_t AccessIndex::in_other_warp(size_t entry, int by) const {
  const WarpAccesses& warp = warp_of(entry);
  const auto here = &warp - warps.data();
  const auto there = std::clamp<int64_t>(here + by, 0, static_cast<int64_t>(warps.size()) - 1);
  const WarpAccesses& other = warps[static_cast<size_t>(there)];
  return other.first + std::min(entry - warp.first, other.count - 1);
}

std::optional<size_t> carry_selection(const AccessIndex& older, std::optional<size_t> selected,
                                      const AccessIndex& newer) {
  if (!selected || *selected >= older.entries.size() || newer.entries.empty()) return newer.worst();
  const AccessEntry& old_entry = older.entries[*selected];
  const WarpAccesses& old_warp = older.warp_of(*selected);
  const size_t ordinal = *selected - old_warp.first;
  // If another block was recorded, use its warp of the same number.
  const bool same_block =
      std::any_of(newer.warps.begin(), newer.warps.end(), [&](const WarpAccesses& warp) {
        return warp.warp.linear_block == old_warp.warp.linear_block;
      });
  for (const WarpAccesses& warp : newer.warps) {
    if (same_block ? !same_warp(warp.warp, old_warp.warp) : warp.warp.warp != old_warp.warp.warp)
      continue;
    std::optional<size_t> best;
    for (size_t i = 0; i < warp.count; ++i) {
      const AccessEntry& entry = newer.entries[warp.first + i];
      if (entry.line != old_entry.line || entry.kind != old_entry.kind ||
          entry.shared != old_entry.shared) {
        continue;
      }
      auto distance = [&](size_t at) { return at > ordinal ? at - ordinal : ordinal - at; };
      if (!best || distance(i) < distance(*best)) best = i;
    }
    if (best) return warp.first + *best;
    // The line is gone: an access of the same kind keeps the picture comparable.
    for (size_t i = 0; i < warp.count; ++i) {
      const AccessEntry& entry = newer.entries[warp.first + i];
      if (entry.kind == old_entry.kind && entry.shared == old_entry.shared) return warp.first + i;
    }
    return warp.first + std::min(ordinal, warp.count - 1);
  }
  return newer.worst();
}

}  // namespace warpshop::ui
