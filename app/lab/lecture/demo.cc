#include "lab/demo.h"

#include <algorithm>
#include <cmath>

#include "checks/checks.h"
#include "core/ascii.h"
#include "core/expression.h"
#include "lab/run_result.h"
#include "timing/memory_timeline.h"
#include "timing/pipeline.h"

namespace warpshop::lab {
namespace {

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

std::string nothing_to_show(std::string_view panel, const RunResult& result) {
  const KernelRun* run = result.student();
  if (!run) return "the kernel did not run";
  if (panel == "contention" && !run->contention.any()) return "the kernel has no atomics";
  if (panel == "pipeline" && !timing::copies_asynchronously(run->sites))
    return "the kernel has no asynchronous copies";
  if ((panel == "partitions" || panel == "dram") && !run->memory)
    return "the kernel accesses no global memory";
  return {};
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

}  // namespace warpshop::lab
