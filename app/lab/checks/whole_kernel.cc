#include "checks/whole_kernel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "core/expression.h"
#include "lab/metric_names.h"

namespace warpshop::lab {
namespace {

// Always allowed per block: with 256-thread blocks, GPUs since 7.0 keep at least three quarters of
// their warps.
constexpr double kFreeSharedBytes = 16 * 1024;

// A warp may always execute as many instructions as this times the mean of the kernel's warps: the
// last block of a reduction, or a border, has more to do.
constexpr double kMostOfMean = 4;
// But not more than this times those of the start or the solution: a sixteenth of their warps, each
// with as much more to do, is an honest grid, one block for everything is not.
constexpr double kMostOfTheirs = 16;

// Resident warps count as such if at least this part of them is busy, compared with the start or
// the solution.
constexpr double kBusyEnough = 0.5;

double warps_of(const KernelRun& run) {
  return std::max(1.0, static_cast<double>(run.grid.count()) *
                           std::ceil(static_cast<double>(run.block.count()) / 32));
}

double mean_per_warp(const KernelRun& run) {
  return static_cast<double>(run.warp_instructions) / warps_of(run);
}

// The part of the warps that is busy: 1 if all have as much to do, 1/4 if a quarter does
// everything, and nearly 1 if one of many has much more to do. (Σw)² / (n Σw²), Jain's index of
// fairness.
double busy_part(const KernelRun& run) {
  const auto sum = static_cast<double>(run.warp_instructions);
  return run.squared_work > 0 ? std::min(1.0, sum * sum / (warps_of(run) * run.squared_work)) : 1;
}

Sentence grouped_figure(double value) { return number(number_text(value)); }

// A limit and its origin.
struct Bound {
  double value = 0;  // figure of the kernel in `whose`
  Sentence whose;    // "the lab's start"
};

// The larger of the start's and the worked solution's figures.
Bound worse_of_both(const SizeResult& size, std::string_view metric) {
  Bound out;
  const std::pair<const KernelRun*, Sentence> runs[] = {
      {size.start.get(), sentence("the lab's start")},
      {size.solution.get(), sentence("the worked solution")}};
  for (const auto& [run, whose] : runs) {
    if (run == nullptr) continue;
    const double value = metric_value(*run, metric).value_or(0);
    if (out.whose.empty() || value > out.value) out = {value, whose};
  }
  if (out.whose.empty())
    out = {metric_value(size.reference, metric).value_or(0), sentence("the reference")};
  return out;
}

struct Amount {
  std::string_view metric;
  double factor;
  double always_allowed;
  Sentence words;
  Sentence advice = sentence("Meet the checks without extra work.");
};

// Fails `check` if the kernel exceeds the bound on some resource.
void judge_amounts(const WholeKernelFactors& factors, const SizeResult& size, CheckResult& check) {
  const Amount amounts[] = {
      // One per warp is a common way to collect results; reading by atomics takes one per 32 bytes.
      {"global_atomic_sectors", factors.memory_sectors,
       std::ceil(worse_of_both(size, "threads").value / 32),
       sentence("sectors of atomics that return a value")},
      {"warp_instructions", factors.instructions, 0, sentence("warp instructions")},
      {"thread_instructions", factors.instructions, 0, sentence("thread instructions")},
      {"memory_sectors", factors.memory_sectors, 0,
       sentence("sectors of global and local memory, atomics included")},
      {"shared_memory", factors.shared_memory, kFreeSharedBytes,
       sentence("bytes of static and dynamic shared memory per block")},
      // No counter of shared memory has these.
      {"remote_requests", factors.memory_sectors,
       std::ceil(worse_of_both(size, "threads").value / 32),
       sentence("accesses to other blocks' shared memory"),
       sentence("Keep to the block's own shared memory.")},
      // Idle blocks and warps fill a grid or an SM on paper only.
      {"longest_warp", factors.instructions,
       std::min(kMostOfMean * mean_per_warp(size.student),
                kMostOfTheirs * worse_of_both(size, "longest_warp").value),
       sentence("instructions in its busiest warp"),
       sentence("Share the work among all warps and blocks.")},
  };
  for (const Amount& amount : amounts) {
    const double got = metric_value(size.student, amount.metric).value_or(0);
    const Bound bound = worse_of_both(size, amount.metric);
    const double limit = std::max(amount.factor * bound.value, amount.always_allowed);
    if (got <= limit) continue;
    check.passed = false;
    check.got = grouped_figure(got).then(amount.words);
    check.wanted = sentence("at most {limit}", {{"limit", grouped_figure(limit)}});
    const std::vector<SentencePart> parts = {
        {"what", amount.words},           {"got", grouped_figure(got)},
        {"limit", grouped_figure(limit)}, {"factor", grouped_figure(amount.factor)},
        {"whose", bound.whose},           {"base", grouped_figure(bound.value)}};
    check.message =
        limit > amount.factor * bound.value
            ? sentence("The whole kernel uses {got} {what}; at most {limit} are allowed here.",
                       parts)
            : sentence(
                  "The whole kernel uses {got} {what}; at most {limit} are allowed, {factor} times "
                  "the {base} of {whose}.",
                  parts);
    check.message.then(amount.advice);
    return;
  }
}

// Substitutes that a counter would not see.
std::span<const std::string_view> stand_ins(std::string_view metric) {
  struct Row {
    std::string_view metric;
    std::vector<std::string_view> others;
  };
  static const Row kRows[] = {
      {"global_load_sectors", {"global_atomic_sectors", "bulk_load_sectors"}},
      {"global_load_requests", {"global_atomic_requests", "bulk_load_requests"}},
      {"global_load_instructions",
       {"global_atomic_requests", "async_copy_instructions", "bulk_load_requests"}},
      {"global_load_bytes_used", {"bulk_load_bytes"}},
      {"global_store_sectors",
       {"global_atomic_sectors", "global_reduction_sectors", "bulk_store_sectors",
        "bulk_reduction_sectors"}},
      {"global_store_requests",
       {"global_atomic_requests", "global_reduction_requests", "bulk_store_requests"}},
      {"global_store_instructions",
       {"global_atomic_requests", "global_reduction_requests", "bulk_store_requests"}},
      // One of 16 bytes by each lane visits as many sectors as an atomic by each.
      {"global_reduction_sectors", {"bulk_reduction_sectors"}},
      {"global_reduction_requests", {"bulk_reduction_sectors"}},
      {"theoretical_sectors",
       {"bulk_load_sectors", "bulk_store_sectors", "bulk_reduction_sectors"}},
      {"shared_load_wavefronts",
       {"shared_atomic_wavefronts", "shared_store_conflicts", "matrix_load_wavefronts"}},
      {"shared_load_instructions", {"shared_atomic_wavefronts", "matrix_load_instructions"}},
      {"shared_store_wavefronts",
       {"shared_atomic_wavefronts", "copy_conflicts", "matrix_store_wavefronts"}},
      {"shared_store_instructions", {"shared_atomic_wavefronts", "matrix_store_instructions"}},
      {"static_shared", {"dynamic_shared"}},
      {"barrier_instructions", {"mbarrier_arrivals"}},
      {"load_waits", {"copy_waits"}},
  };
  const auto* const row = std::find_if(std::begin(kRows), std::end(kRows),
                                       [&](const Row& r) { return r.metric == metric; });
  return row == std::end(kRows) ? std::span<const std::string_view>() : std::span(row->others);
}

// One of a check's limits.
struct Limit {
  const CheckRule& rule;
  const Expression& metric;
  double value;
  bool is_most;

  bool holds(double got) const {
    const double slack = 1e-9 * std::max(1.0, std::abs(value));
    return is_most ? got <= value + slack : got >= value - slack;
  }
};

// The figures that a check counts, capped at what the kernel plausibly needs.
class HonestFigures {
 public:
  HonestFigures(const SizeResult& size, const Expression& metric, double factor, bool is_most)
      : size_(size), factor_(factor), helpful_(is_most ? Effect::kLowers : Effect::kRaises) {
    for (const Expression::NameUse& use : metric.names())
      counts_stores_ = counts_stores_ || use.name == "shared_store_wavefronts";
  }

  std::optional<double> operator()(std::string_view name, Effect effect) {
    const auto variable = size_.size.variables.find(std::string(name));
    if (variable != size_.size.variables.end()) return static_cast<double>(variable->second);
    if (name.starts_with("reference.")) return metric_value(size_.reference, name.substr(10));
    std::optional<double> value = metric_value(size_.student, name);
    if (!value) return value;
    if (effect == helpful_ && (name == "occupancy_pct" || name == "warps_per_sm"))
      *value = of_busy_warps(name, *value);
    for (const std::string_view other : stand_ins(name)) {
      if (other == "shared_store_conflicts" && counts_stores_) continue;
      const double more =
          metric_value(size_.student, other).value_or(0) - worse_of_both(size_, other).value;
      if (more <= 0) continue;
      *value += more;
      said_[std::string(other) + " as " + std::string(name)] = sentence(
          "Here {other} count as {name}, since the start and the solution have fewer or none.",
          {{"other", other}, {"name", name}});
    }
    if (effect != helpful_) return value;
    const Bound bound = worse_of_both(size_, name);
    const double most = factor_ * bound.value;
    if (*value <= most) return value;
    said_[std::string(name)] =
        sentence("Of the {got} {name}, {most} count: {factor} times those of {whose}.",
                 {{"got", grouped_figure(*value)},
                  {"name", name},
                  {"most", grouped_figure(most)},
                  {"factor", decimal(factor_, 2)},
                  {"whose", bound.whose}});
    return most;
  }

  // Adjustments to the figures that the check counts.
  Sentence words() const {
    Sentence out;
    for (const auto& [name, words] : said_) out.then(words);
    return out;
  }

 private:
  // Warps with hardly any work hide no latency, so they are not counted among the resident ones.
  double of_busy_warps(std::string_view name, double value) {
    const double busy = busy_part(size_.student);
    double usual = 1;
    for (const KernelRun* run : {size_.start.get(), size_.solution.get()}) {
      if (run != nullptr) usual = std::min(usual, busy_part(*run));
    }
    if (busy >= kBusyEnough * usual) return value;
    const double counted = value * busy / (kBusyEnough * usual);
    said_["busy warps"] = sentence(
        "Of {name}, {counted} counts: only {percent}% of the warps are busy, the others have "
        "hardly any work.",
        {{"name", name}, {"counted", decimal(counted, 1)}, {"percent", decimal(100 * busy, 0)}});
    return counted;
  }

  const SizeResult& size_;
  double factor_;
  Effect helpful_;
  bool counts_stores_ = false;  // the check has the conflicts of stores itself
  std::map<std::string, Sentence> said_;
};

NameLookup figures_of(const SizeResult& size, const KernelRun& run) {
  return [&size, &run](std::string_view name) -> std::optional<double> {
    const auto variable = size.size.variables.find(std::string(name));
    if (variable != size.size.variables.end()) return static_cast<double>(variable->second);
    if (name.starts_with("reference.")) return metric_value(size.reference, name.substr(10));
    return metric_value(run, name);
  };
}

// How far a figure that helps to meet the limit may count. Must be too little for a diluted start
// to pass: with the square root of the ratio by which the start misses the limit, it still misses
// by as much.
double ratio_factor(const Limit& limit, const SizeResult& size, double most) {
  if (size.start == nullptr) return most;
  const Result<double> start = limit.metric.evaluate(figures_of(size, *size.start));
  if (!start.ok() || limit.holds(*start) || *start <= 0 || limit.value <= 0) return most;
  return std::min(most, std::sqrt(limit.is_most ? *start / limit.value : limit.value / *start));
}

// Fails `check` if the limit is met only by extra work.
void judge_limit(const Limit& limit, const SizeResult& size, double most_factor,
                 CheckResult& check) {
  HonestFigures figures(size, limit.metric, ratio_factor(limit, size, most_factor), limit.is_most);
  const Result<double> got = limit.metric.evaluate_uses(
      [&figures](std::string_view name, Effect effect) { return figures(name, effect); });
  if (!got.ok() || limit.holds(*got)) return;
  check.passed = false;
  check.got = grouped_figure(*got);
  check.got.then(limit.rule.unit);
  check.wanted = limit.is_most
                     ? sentence("at most {limit}", {{"limit", grouped_figure(limit.value)}})
                     : sentence("at least {limit}", {{"limit", grouped_figure(limit.value)}});
  check.message =
      sentence("“{title}” passes only because of extra work. Without it: {got}, wanted {wanted}.",
               {{"title", limit.rule.title}, {"got", check.got}, {"wanted", check.wanted}});
  check.message.then(figures.words());
}

void judge_rule(const CheckRule& rule, const SizeResult& size, double most_factor,
                CheckResult& check) {
  const Result<Expression> metric = Expression::parse(rule.metric);
  if (!metric.ok()) return;
  for (const auto& [text, is_most] :
       {std::pair(&rule.at_least, false), std::pair(&rule.at_most, true)}) {
    if (!*text || !check.passed) continue;
    const Result<Expression> expression = Expression::parse(**text);
    if (!expression.ok()) continue;
    const Result<double> value = expression->evaluate(figures_of(size, size.student));
    if (value.ok()) judge_limit({rule, *metric, *value, is_most}, size, most_factor, check);
  }
}

}  // namespace

CheckResult whole_kernel_check() {
  CheckResult check{.id = "whole-kernel", .title = sentence("Cost of the whole kernel")};
  check.got = sentence("judged once all other checks pass");
  check.wanted = sentence("no more than the start or the solution, within a factor");
  return check;
}

CheckResult judge_whole_kernel(const Exercise& exercise, const SizeResult& size) {
  CheckResult check = whole_kernel_check();
  check.evaluated = true;
  check.passed = true;
  check.got = sentence("within bounds");
  judge_amounts(exercise.whole_kernel, size, check);
  for (const CheckRule& rule : exercise.checks) {
    if (check.passed) judge_rule(rule, size, exercise.whole_kernel.ratios, check);
  }
  return check;
}

}  // namespace warpshop::lab
