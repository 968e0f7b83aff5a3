// The times of a run, one beside the other, each with where it comes from: what the window, the
// report and the command line show as a table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab.h"
#include "lab/run_result.h"

namespace warpshop::lab {

// What a kernel's speed is told by.
enum class Rate {
  kBandwidth,   // useful bytes a second
  kArithmetic,  // floating-point operations a second: the chip's arithmetic would be exhausted before its memory
  kTime         // the exercise names no useful bytes, and the kernel does no arithmetic
};

// By the reference's work, or the student's where that is not known: operations for each useful byte above the ratio of
// the two ceilings (the ridge of the roofline: Williams, Waterman, Patterson, CACM 2009).
Rate rate_of(const SizeResult& size, const models::GpuProfile& gpu);
std::string_view unit_of(Rate rate);  // "GB/s", "GFLOP/s", "µs"

struct TimeRow {
  Provenance provenance = Provenance::kMeasured;
  std::string what;             // "yours", "reference", "best copy", "memory ceiling", "FP32 ceiling", a published figure's label
  double us = 0;                // of a launch, warm; 0: there is none
  double cold_us = 0;           // measured: with an empty L2 and new inputs
  double spread_us = 0;         // of cold_us, between the quartiles
  double gb_s = 0;              // useful bytes by `us`; 0: the lab gives none
  double gflop_s = 0;           // the kernel's floating-point operations by `us`; 0: it has none, or they are not known
  std::optional<double> error;  // predicted: by the measured time beside it, less 1
  double value = 0;             // published: in `unit`
  std::string unit;
  bool kept = false;            // measured: not in this run; the lab keeps it of the same text
  Sentence origin;              // "NVIDIA H200, driver 580.159.04", "the model of NVIDIA H200", a source

  double of(Rate rate) const { return rate == Rate::kBandwidth ? gb_s : rate == Rate::kArithmetic ? gflop_s : us; }
};

// How far the predicted time is from the measured one, as a part of that. A prediction is of a launch that follows others,
// with the L2 that they leave: of the warm time. What an empty launch takes is no property of the kernel: the one that was
// measured stands in for the profile's. Nothing where one of both is not known.
std::optional<double> prediction_error(const KernelRun& run, double warm_us, double empty_launch_us);

// Of one size of the result: the student's kernel, measured and predicted, the reference likewise (where the student's
// is predicted alone, the reference's predicted time comes first), the ceiling that limits them, and the figures that
// the lab's script publishes for the step. Those that there are. Measured is what a GPU said in this run; without one,
// what the lab keeps of the same text, size and GPU (Lab::kept_times).
std::vector<TimeRow> time_rows(const Lab& lab, const RunResult& result, const SizeResult& size);

// What limits the student's kernel, of the very time that its predicted row has: with the launch that was measured, where there is
// one. None: no time was predicted.
std::optional<timing::Limit> limit_of(const std::vector<TimeRow>& rows, const RunResult& result, const SizeResult& size);

// The student's kernel beside the reference: measured with measured where both are, else predicted with predicted.
struct TimeComparison {
  const TimeRow* yours = nullptr;  // into the rows; null: there is none
  bool good = true;                // not clearly worse than the reference
  double speed = 0;                // the reference's time by the student's; 0: there is no such time of the reference
};
TimeComparison compare_times(const std::vector<TimeRow>& rows, Rate rate);

}  // namespace warpshop::lab
