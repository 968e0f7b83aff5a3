// The times of a run side by side, each with its provenance: the table in the window, the report
// and the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab.h"
#include "lab/profile_comparison.h"
#include "lab/run_result.h"

namespace warpshop::lab {

// The unit of a kernel's speed.
enum class Rate {
  kBandwidth,   // useful bytes per second
  kArithmetic,  // floating-point operations per second: arithmetic would saturate before memory
  kTime         // the exercise gives no useful bytes, and the kernel does no arithmetic
};

// Chosen by the reference's work, or the student's if unknown: kArithmetic if the operations per
// useful byte exceed the ratio of the two ceilings (the ridge point of the roofline: Williams,
// Waterman, Patterson, CACM 2009).
Rate rate_of(const SizeResult& size, const models::GpuProfile& gpu);
std::string_view unit_of(Rate rate);  // "GB/s", "GFLOP/s", "µs"

// What a row of the table of times is about.
enum class Timed : uint8_t {
  kYours,
  kReference,
  kBestCopy,       // the best copy that the GPU worker measured
  kMemoryCeiling,  // from the profile
  kFp32Ceiling,    // likewise
  kProfiled,       // the student's kernel, by Nsight Compute
  kPublished,      // a figure from the lab's script
};
std::string_view name_of(Timed what);  // "yours"; empty for kPublished: the row has a label

struct TimeRow {
  Provenance provenance = Provenance::kMeasured;
  Timed what = Timed::kYours;
  std::string label;     // of a published figure
  double us = 0;         // per launch, warm; 0: none
  double cold_us = 0;    // measured: with an empty L2 and fresh inputs
  double spread_us = 0;  // interquartile range of cold_us
  double empty_us = 0;   // measured: an empty launch, timed the same way
  double gb_s = 0;       // useful bytes ÷ `us`; 0: the lab gives none
  double gflop_s = 0;    // the kernel's floating-point operations ÷ `us`; 0: none or unknown
  std::optional<double> error;  // predicted: predicted ÷ measured − 1
  double value = 0;             // published: in `unit`
  std::string unit;
  bool kept = false;  // measured: not in this run, but recorded in the lab for the same text
  Sentence origin;    // "NVIDIA H200, driver 580.159.04", "the model of NVIDIA H200", a publication

  std::string name() const {
    return what == Timed::kPublished ? label : std::string(name_of(what));
  }
  double of(Rate rate) const {
    return rate == Rate::kBandwidth ? gb_s : rate == Rate::kArithmetic ? gflop_s : us;
  }
};

// Relative error of the predicted time of a kernel that was measured in the same run. The
// prediction is compared with the warm time, since it assumes a launch that follows others and
// finds their L2 contents. The cost of an empty launch is not a property of the kernel, so the
// measured one replaces the profile's. Nothing if either time is unknown.
std::optional<double> prediction_error(const KernelRun& run, double warm_us,
                                       double empty_launch_us);

// The available times of one size: the student's kernel, measured and predicted; the reference
// likewise; the ceiling that limits them; and the published figures that the lab's script gives for
// the step. Without a GPU in this run, the measured time is the lab's recording for the same text,
// size and GPU (Lab::recorded_times), and comes after the predicted one.
std::vector<TimeRow> time_rows(const Lab& lab, const RunResult& result, const SizeResult& size);

// Adds the time of an imported profile as "Nsight Compute", after the rows of the student's kernel,
// and the predicted time's error if nothing else was measured.
void add_profiled_time(const ProfileComparison& comparison, const SizeResult& size,
                       std::vector<TimeRow>& rows);

// The limiter of the student's kernel, for the same time as its predicted row: with the launch
// overhead as measured, if it was. None: no time was predicted.
std::optional<timing::LimiterSummary> limiter_summary_of(const std::vector<TimeRow>& rows,
                                                         const RunResult& result,
                                                         const SizeResult& size);

// Compares the student's kernel with the reference: measured with measured if a GPU ran them, else
// predicted with predicted.
struct TimeComparison {
  const TimeRow* yours = nullptr;  // the first of the rows with such a figure; null: none
  bool good = true;                // not clearly worse than the reference
  double speed = 0;  // the reference's time ÷ the student's; 0: the reference has no such time
};
TimeComparison compare_times(const std::vector<TimeRow>& rows, Rate rate);

// What an estimate is compared with, in its unit: the speedup, or µs.
struct EstimateOutcome {
  double value = 0;
  Provenance provenance = Provenance::kPredicted;
};

// `rows`: time_rows() of the size that times refer to. The time is that of `yours` in the
// comparison; a speedup divides two times of one provenance: predicted ones, or the measured one
// and the start's recording on the same GPU. None: the kernel has no such time, or the start has
// none.
std::optional<EstimateOutcome> outcome_of(const Estimate& estimate, const Lab& lab,
                                          const RunResult& result, const SizeResult& size,
                                          const std::vector<TimeRow>& rows);

}  // namespace warpshop::lab
