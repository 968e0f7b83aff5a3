#include "lab/shown_access.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "core/ascii.h"
#include "lab/run_result.h"
#include "timing/issue.h"

namespace warpshop::lab {
namespace {

// As in the window: a reduction is an atomic whose result is unused.
bool same_kind(emulator::AccessKind wanted, emulator::AccessKind kind) {
  return wanted == kind ||
         (wanted == emulator::AccessKind::kAtomic && kind == emulator::AccessKind::kReduction);
}

bool right_memory(const Scene& scene, ptx::Space space) {
  const bool shared = space == ptx::Space::kShared, global = space == ptx::Space::kGlobal;
  switch (scene.show) {
    case Scene::Show::kBanks:
      return shared;
    case Scene::Show::kTransactions:
      return global;
    default:
      return shared || global;
  }
}

bool right_site(const Scene& scene, const emulator::AccessSite& site) {
  if (scene.line == 0) return true;
  return student_line(site) == scene.line && same_kind(scene.access.kind, site.kind) &&
         (scene.access.array.empty() || scene.access.array == site.array) &&
         (scene.access.param < 0 || scene.access.param == site.param);
}

std::optional<ShownAccess> costliest_access(const Scene& scene, const KernelRun& run,
                                            const models::GpuProfile& gpu) {
  std::vector<uint32_t> sites;  // with that line and kind, in execution order
  std::optional<ShownAccess> best;
  for (size_t i = 0; i < run.records.size(); ++i) {
    const timing::RecordedAccess& record = run.records[i];
    const emulator::AccessSite& site = run.sites[record.access.site];
    if (!right_memory(scene, record.access.space) || !right_site(scene, site)) continue;
    const std::vector<models::WarpRequest> requests = timing::issued_requests(site, record.access);
    if (requests.empty()) continue;
    auto at = std::find(sites.begin(), sites.end(), record.access.site);
    if (at == sites.end()) at = sites.insert(sites.end(), record.access.site);
    if (scene.access.number > 0 && at - sites.begin() + 1 != scene.access.number) continue;
    for (size_t part = 0; part < requests.size(); ++part) {
      const AccessCost cost =
          access_cost(gpu, site, record.access.space == ptx::Space::kShared, requests[part]);
      if (!best || cost.waste() > best->cost.waste()) best = {i, part, cost};
    }
  }
  return best;
}

// Of a warp's executions of one access, the first with as many active lanes as on average. With a
// loop that the lanes leave one after another, the first execution would show all of them.
size_t average_execution(const KernelRun& run, size_t costliest) {
  const timing::RecordedAccess& of = run.records[costliest];
  std::vector<size_t> same;
  double sum = 0;
  for (size_t i = 0; i < run.records.size(); ++i) {
    const timing::RecordedAccess& record = run.records[i];
    if (record.access.site != of.access.site || record.warp.warp != of.warp.warp ||
        record.warp.linear_block != of.warp.linear_block)
      continue;
    same.push_back(i);
    sum += std::popcount(record.access.active_mask);
  }
  const double mean = sum / static_cast<double>(same.size());
  return *std::min_element(same.begin(), same.end(), [&](size_t a, size_t b) {
    const auto off = [&](size_t i) {
      return std::abs(std::popcount(run.records[i].access.active_mask) - mean);
    };
    return off(a) < off(b);
  });
}

}  // namespace

std::optional<ShownAccess> shown_access(const Scene& scene, const KernelRun& run,
                                        const models::GpuProfile& gpu) {
  std::optional<ShownAccess> shown = costliest_access(scene, run, gpu);
  if (!shown || scene.panel != "warp") return shown;
  const size_t record = average_execution(run, shown->record);
  if (record == shown->record) return shown;
  const emulator::WarpAccess& access = run.records[record].access;
  const emulator::AccessSite& site = run.sites[access.site];
  const std::vector<models::WarpRequest> requests = timing::issued_requests(site, access);
  if (requests.empty()) return shown;
  return ShownAccess{record, 0,
                     access_cost(gpu, site, access.space == ptx::Space::kShared, requests.front())};
}

std::string contradiction(const Scene& scene, const KernelRun& run, const ShownAccess& shown) {
  const emulator::AccessSite& of = run.sites[run.records[shown.record].access.site];
  // The arrays that the kernel accesses, by their names in the text.
  const auto is_of = [&](std::string_view name, const emulator::AccessSite& site) {
    return site.array == name ||
           (site.param >= 0 && site.param == parameter_place(scene.source, run.kernel, name));
  };
  const auto known = [&](std::string_view name) {
    return std::any_of(run.sites.begin(), run.sites.end(),
                       [&](const auto& site) { return is_of(name, site); });
  };
  // The first text that names an array decides: later ones may mention others.
  for (const std::string& text : {scene.ask, scene.say, scene.answer}) {
    std::set<std::string> named;
    for (size_t at = 0; at < text.size(); ++at) {
      if (!is_word_character(text[at]) || (at > 0 && is_word_character(text[at - 1]))) continue;
      size_t end = at;
      while (end < text.size() && is_word_character(text[end])) ++end;
      const std::string name = text.substr(at, end - at);
      const std::string_view before = std::string_view(text).substr(0, at);
      bool spoken = end < text.size() && text[end] == '[';
      for (const char* of_it : {"read of ", "reads of ", "write of ", "writes of ", "load of ",
                                "loads of ", "store of ", "stores of "}) {
        spoken = spoken || before.ends_with(of_it);
      }
      if (spoken && known(name)) named.insert(name);
    }
    if (named.empty()) continue;
    if (std::any_of(named.begin(), named.end(),
                    [&](const std::string& name) { return is_of(name, of); }))
      return {};
    return "the words speak of " + *named.begin() + ", and line " +
           std::to_string(student_line(of)) + " shows " +
           (of.array.empty() ? "another access" : of.array);
  }
  return {};
}

}  // namespace warpshop::lab
