#include "lab/profile_comparison.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/ascii.h"
#include "core/utf8.h"
#include "device/counter_metrics.h"
#include "profiles/kernel_names.h"
#include "timing/counters.h"

namespace warpshop::lab {
namespace {

constexpr size_t kMostNamesListed = 6;
constexpr size_t kLongestListed = 120;  // bytes of a name
constexpr double kLongLaunch = 0.1;     // a smaller share of the time is not mentioned
constexpr double kSameClock = 0.05;     // smaller relative differences count as the same clock

// "a; b; c, and 4 more", each once, in their order.
class NamesListed {
 public:
  void add(const std::string& name) {
    if (!each_.insert(name).second || each_.size() > kMostNamesListed) return;
    text_ += (text_.empty() ? "" : "; ") + valid_utf8(name.substr(0, kLongestListed)) +
             (name.size() > kLongestListed ? "…" : "");
  }
  bool empty() const { return each_.empty(); }
  std::string text() const {
    return each_.size() <= kMostNamesListed
               ? text_
               : text_ + ", and " + std::to_string(each_.size() - kMostNamesListed) + " more";
  }

 private:
  std::set<std::string> each_;
  std::string text_;
};

std::string launch_shape(const std::optional<Dim3>& grid, const std::optional<Dim3>& block) {
  return "grid " + (grid ? text_of(*grid) : "?") + ", block " + (block ? text_of(*block) : "?");
}

// The word of a GPU's name that tells models apart: "h200", "4090", "v100".
std::string model_word(std::string_view name) {
  std::string word;
  for (const char c : std::string(name) + " ") {
    if (is_letter(c) || is_digit(c)) {
      word += lower(c);
      continue;
    }
    if (std::any_of(word.begin(), word.end(), is_digit)) {
      return word;
    }
    word.clear();
  }
  return {};
}

bool is_same_gpu(const ProfiledLaunch& launch, const models::GpuProfile& gpu) {
  if (launch.capability && *launch.capability != gpu.capability) return false;
  const std::string word = model_word(launch.gpu);
  return word.empty() || word == model_word(gpu.name);
}

// The launches of the run's kernel with its grid and block.
Result<std::vector<const ProfiledLaunch*>> fitting_launches(const Profile& profile,
                                                            const KernelRun& run) {
  const PlainName name = plain_name(run.kernel);
  std::vector<const ProfiledLaunch*> fitting;
  NamesListed kernels, shapes;
  for (const ProfiledLaunch& launch : profile.launches) {
    kernels.add(launch.kernel);
    if (!may_be_same(plain_name(launch.kernel), name)) continue;
    shapes.add(launch_shape(launch.grid, launch.block));
    if (launch.grid && *launch.grid != run.grid) continue;
    if (launch.block && *launch.block != run.block) continue;
    fitting.push_back(&launch);
  }
  if (!fitting.empty()) return fitting;
  if (shapes.empty()) {
    return make_error_at({profile.file, 0, 0, 0}, "import",
                         sentence("the profile has no launch of {kernel}; it has {others}",
                                  {{"kernel", run.kernel}, {"others", kernels.text()}}),
                         sentence("profile that kernel, or name the one that was profiled"));
  }
  return make_error_at(
      {profile.file, 0, 0, 0}, "import",
      sentence("the profile's launches of {kernel} have other sizes: {theirs}; this run has {ours}",
               {{"kernel", run.kernel},
                {"theirs", shapes.text()},
                {"ours", launch_shape(run.grid, run.block)}}),
      sentence("launch both with the same grid and block"));
}

// The launch with the median time; the first if they have no times.
const ProfiledLaunch& median_launch(std::vector<const ProfiledLaunch*> launches) {
  std::vector<const ProfiledLaunch*> timed;
  for (const ProfiledLaunch* launch : launches) {
    const ProfiledFigure* time = launch->find(kProfiledTime);
    if (time != nullptr && time->missing.empty()) timed.push_back(launch);
  }
  if (timed.empty()) return *launches.front();
  const auto middle = timed.begin() + static_cast<ptrdiff_t>((timed.size() - 1) / 2);
  std::stable_sort(timed.begin(), timed.end(), [](const auto* a, const auto* b) {
    return a->find(kProfiledTime)->value < b->find(kProfiledTime)->value;
  });
  return **middle;
}

// The model's figure for a metric that only a GPU counts.
std::optional<double> predicted_count(const timing::Prediction& prediction, std::string_view name) {
  if (name == "sass_instructions") return prediction.warp_instructions;
  if (name == "l2_read_sectors") return prediction.flow.l2_read_sectors;
  if (name == "l2_write_sectors") return prediction.flow.write_bytes / 32;
  if (name == "dram_read_bytes") return prediction.flow.dram_read_bytes;
  if (name == "dram_write_bytes") return prediction.flow.dram_write_bytes;
  return std::nullopt;
}

class FigureComparer {
 public:
  FigureComparer(const ProfiledLaunch& launch, const KernelRun& run, bool counted)
      : launch_(launch), run_(run), counted_(counted) {}

  // Pairs one figure. `metric`: what to collect if the profile lacks it.
  ComparedFigure figure(std::string name, std::string unit, std::string metric,
                        std::optional<double> ours, Provenance provenance) const {
    ComparedFigure out{.name = std::move(name),
                       .unit = std::move(unit),
                       .metric = std::move(metric),
                       .provenance = provenance,
                       .ours = ours,
                       .profiled = {},
                       .note = {}};
    const ProfiledFigure* theirs = launch_.find(out.name);
    if (theirs == nullptr) {
      out.note = out.metric.empty()
                     ? sentence("Nsight Compute has no equivalent")
                     : sentence("not in the profile: {metric}", {{"metric", out.metric}});
      return out;
    }
    out.metric = theirs->metric;
    if (!theirs->missing.empty()) {
      out.note = theirs->missing;
      return out;
    }
    out.profiled = theirs->value;
    out.comparable = ours.has_value();
    if (!ours) {
      out.note = provenance == Provenance::kPredicted ? sentence("no prediction")
                                                      : sentence("not counted at this size");
    } else if (theirs->near) {
      out.note = sentence("{metric} also counts passes that other traffic delays",
                          {{"metric", theirs->metric}});
      out.comparable = false;
    }
    return out;
  }

  ComparedFigure time() const {
    return figure(std::string(kProfiledTime), "µs", "gpu__time_duration.sum",
                  run_.prediction ? std::optional(run_.prediction->time_us) : std::nullopt,
                  Provenance::kPredicted);
  }

  std::vector<ComparedFigure> figures() const {
    std::vector<ComparedFigure> out;
    const auto add = [&](ComparedFigure figure) {
      if (figure.profiled || figure.ours.value_or(0) > 0 || launch_.find(figure.name) != nullptr)
        out.push_back(std::move(figure));
    };
    for (const device::CounterMetric& row : device::counter_metrics()) {
      std::optional<double> ours;
      Provenance provenance = Provenance::kPredicted;
      for (const timing::CounterInfo& info : timing::counter_table()) {
        if (info.name != row.counter) continue;
        provenance = Provenance::kSimulated;
        if (counted_) ours = static_cast<double>(run_.counters.*info.field);
      }
      if (provenance == Provenance::kPredicted && run_.prediction)
        ours = predicted_count(*run_.prediction, row.counter);
      add(figure(row.counter, row.unit, row.metrics.empty() ? "" : row.metrics.front(), ours,
                 provenance));
    }
    add(figure(std::string(kProfiledRegisters), "register", "launch__registers_per_thread",
               run_.registers > 0 ? std::optional<double>(run_.registers) : std::nullopt,
               Provenance::kSimulated));
    add(figure(std::string(kProfiledOccupancy), "%", "sm__maximum_warps_per_active_cycle_pct",
               run_.occupancy.fraction * 100, Provenance::kSimulated));
    add(figure(
        std::string(kProfiledWarps), "%", "sm__warps_active.avg.pct_of_peak_sustained_active",
        run_.prediction ? std::optional(run_.prediction->achieved_occupancy * 100) : std::nullopt,
        Provenance::kPredicted));
    return out;
  }

 private:
  const ProfiledLaunch& launch_;
  const KernelRun& run_;
  bool counted_;
};

std::vector<Sentence> profile_notes(const ProfileComparison& comparison,
                                    const models::GpuProfile& gpu) {
  std::vector<Sentence> out;
  const ProfiledLaunch& launch = comparison.launch;
  if (comparison.fitting > 1) {
    out.push_back(launch.find(kProfiledTime) != nullptr
                      ? sentence("{count} launches of the profile fit; this is the one with the "
                                 "median time, ID {id}.",
                                 {{"count", comparison.fitting}, {"id", launch.id}})
                      : sentence("{count} launches of the profile fit; this is the first, ID {id}.",
                                 {{"count", comparison.fitting}, {"id", launch.id}}));
  }
  if (!launch.grid || !launch.block)
    out.push_back(
        sentence("The profile does not say which grid and block it has: are they the same?"));
  if (!comparison.same_gpu) {
    out.push_back(sentence(
        "Profiled on another GPU: {theirs}, not {ours} ({capability}). Its time is not compared, "
        "and its machine code may differ.",
        {{"theirs", gpu_text(launch)},
         {"ours", gpu.name},
         {"capability",
          std::to_string(gpu.capability.major) + "." + std::to_string(gpu.capability.minor)}}));
  }
  return out;
}

// Conditions under which ncu measures a time and the prediction does not hold.
std::vector<Sentence> profile_time_notes(const ProfileComparison& comparison, const KernelRun& run,
                                         const models::GpuProfile& gpu) {
  std::vector<Sentence> out;
  if (!comparison.time.ratio()) return out;
  const ProfiledLaunch& launch = comparison.launch;
  const ProfiledFigure* clock = launch.find(kProfiledClock);
  const bool known = clock != nullptr && clock->missing.empty() && gpu.sm_clock_mhz > 0;
  if (known && std::abs(clock->value / gpu.sm_clock_mhz - 1) > kSameClock) {
    out.push_back(
        sentence("The SM clock of the profile is {theirs} MHz, the prediction's {ours} MHz: ncu "
                 "lowers it without --clock-control none.",
                 {{"theirs", decimal(clock->value, 0)}, {"ours", decimal(gpu.sm_clock_mhz, 0)}}));
  } else if (!known) {
    out.push_back(sentence(
        "ncu lowers clocks without --clock-control none; the prediction assumes the boost clock."));
  }
  out.push_back(
      sentence("ncu empties the caches before a launch without --cache-control none; the "
               "prediction assumes that the same launch has just run."));
  const timing::Prediction& prediction = *run.prediction;
  if (prediction.launch_us > kLongLaunch * prediction.time_us) {
    out.push_back(sentence(
        "{launch} µs of the predicted time is launch overhead, most of which ncu does not time.",
        {{"launch", decimal(prediction.launch_us, 1)}}));
  }
  return out;
}

}  // namespace

std::optional<double> ComparedFigure::ratio() const {
  if (!comparable || !ours || !profiled || *profiled <= 0) return std::nullopt;
  return *ours / *profiled;
}

bool ComparedFigure::differs() const {
  const double rounded = unit == "%" ? 0.01 : 0.5;
  return comparable && provenance == Provenance::kSimulated && ours && profiled &&
         std::abs(*ours - *profiled) >= rounded;
}

const ComparedFigure* ProfileComparison::find(std::string_view name) const {
  const auto at = std::find_if(figures.begin(), figures.end(),
                               [&](const ComparedFigure& figure) { return figure.name == name; });
  return at == figures.end() ? nullptr : &*at;
}

Result<ProfileComparison> compare_profile(const Profile& profile, const KernelRun& run,
                                          const models::GpuProfile& gpu, bool counted) {
  const Result<std::vector<const ProfiledLaunch*>> fitting = fitting_launches(profile, run);
  if (!fitting.ok()) return fitting.errors();
  ProfileComparison out;
  out.file = profile.file;
  out.launch = median_launch(*fitting);
  out.fitting = fitting->size();
  out.same_gpu = is_same_gpu(out.launch, gpu);
  const FigureComparer comparer(out.launch, run, counted);
  out.time = comparer.time();
  if (!out.same_gpu && out.time.comparable) {
    out.time.comparable = false;
    out.time.note = sentence("another GPU");
  }
  out.figures = comparer.figures();
  out.notes = profile_notes(out, gpu);
  out.time_notes = profile_time_notes(out, run, gpu);
  return out;
}

Result<std::vector<ProfiledSize>> compare_profile(const Profile& profile, const RunResult& result) {
  std::vector<ProfiledSize> out;
  Diagnostics errors;
  const auto add = [&](const SizeResult& size, bool counted) {
    Result<ProfileComparison> comparison =
        compare_profile(profile, size.student, result.gpu, counted);
    if (comparison.ok()) {
      out.push_back({&size, std::move(*comparison)});
    } else if (errors.empty()) {
      errors = comparison.errors();
    }
  };
  for (const SizeResult& size : result.sizes) {
    if (size.student.completed) add(size, true);
  }
  if (result.timed) add(*result.timed, false);
  if (!out.empty()) return out;
  if (!errors.empty()) return errors;
  return make_error(
      "import",
      sentence("the kernel did not run to its end: there is nothing to compare the profile with"));
}

}  // namespace warpshop::lab
