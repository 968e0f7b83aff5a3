#include "lab/demo.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <set>

#include "checks/checks.h"
#include "core/ascii.h"
#include "core/expression.h"
#include "lab/access_cost.h"
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

// The number of decimals in a number's text; nothing if it is an expression.
std::optional<int> decimals_of(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string_view::npos)
    return std::nullopt;
  const size_t point = text.find('.');
  return point == std::string_view::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

}  // namespace

Result<SceneNumber> scene_number(const Scene& scene, const RunResult& result) {
  if (result.sizes.empty() || !result.sizes.front().student.completed) {
    return make_error("run", sentence("the kernel did not run to its end"));
  }
  const NameLookup names = names_of(result.sizes.front());
  const Result<double> value = value_of(scene.number, names);
  if (!value.ok()) return value.errors();
  SceneNumber number{*value, std::nullopt, std::nullopt};
  for (const auto& [text, into] :
       {std::pair(&scene.ideal, &number.ideal), std::pair(&scene.expect, &number.expect)}) {
    if (text->empty()) continue;
    const Result<double> other = value_of(*text, names);
    if (!other.ok()) return other.errors();
    *into = *other;
  }
  return number;
}

std::optional<bool> is_good(const SceneNumber& number) {
  if (!number.ideal) return std::nullopt;
  return std::abs(number.value - *number.ideal) <= 0.05 * std::abs(*number.ideal);
}

std::string said_number(const Scene& scene, double value) {
  constexpr int kMost = 3;  // decimals given by number_text
  if (!std::isfinite(value) || value == 0) return number_text(value);
  int decimals = std::max(0, 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
  decimals = std::max(decimals, decimals_of(scene.expect).value_or(0));
  if (decimals > kMost) return number_text(value);
  const double ten = std::pow(10, decimals);
  return number_text(std::round(value * ten) / ten);
}

namespace {

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

bool panel_needs_access(std::string_view panel) {
  return panel == "transactions" || panel == "banks" || panel == "warp" || panel == "registers" ||
         panel == "compare";
}

bool has_panel_number(std::string_view panel) {
  return panel == "partitions" || panel == "dram" || panel == "occupancy" || panel == "contention";
}

std::optional<double> panel_number(std::string_view panel, const RunResult& result) {
  const KernelRun* run = result.student();
  if (!run) return std::nullopt;
  if (panel == "occupancy") return 100 * run->occupancy.fraction;
  if (panel == "contention" && run->contention.any()) {
    const timing::LaunchContention& all = run->contention;
    return (all.mostly_shared() ? all.shared : all.global).lanes_on_busiest();
  }
  if (!run->memory) return std::nullopt;
  if (panel == "partitions") return run->memory->camping.slowdown;
  if (panel == "dram") return 100 * run->memory->dram.row_hit_fraction();
  return std::nullopt;
}

int parameter_place(std::string_view source, std::string_view kernel, std::string_view name) {
  const size_t begin = std::min(
      source.size(), source.find("__global__"));  // comments above may also name the kernel
  for (size_t at = source.find(kernel, begin); at != std::string_view::npos;
       at = source.find(kernel, at + 1)) {
    const size_t open = at + kernel.size();
    const bool whole =
        at > 0 && !is_word_character(source[at - 1]) && open < source.size() && source[open] == '(';
    const size_t end = whole ? source.find(')', open) : std::string_view::npos;
    if (end == std::string_view::npos) continue;
    int place = 0;
    std::string_view rest = source.substr(open + 1, end - open - 1);
    for (;; ++place) {
      std::string_view one = rest.substr(0, rest.find(','));
      while (!one.empty() && !is_word_character(one.back())) one.remove_suffix(1);
      size_t first = one.size();
      while (first > 0 && is_word_character(one[first - 1])) --first;
      if (one.substr(first) == name) return place;
      const size_t comma = rest.find(',');
      if (comma == std::string_view::npos) return -1;
      rest.remove_prefix(comma + 1);
    }
  }
  return -1;
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
