// The table of times: its rows, and the prediction's error.
#include "lab/times.h"

#include <gtest/gtest.h>

#include "core/text_id.h"
#include "lab/measure.h"

namespace warpshop::lab {
namespace {

device::GpuInfo h200() {
  device::GpuInfo gpu;
  gpu.name = "NVIDIA H200";
  gpu.capability_major = 9;
  gpu.sm_count = 132;
  gpu.memory_clock_mhz = 3201;  // as reported by an H200's driver
  gpu.bus_width_bits = 6144;
  return gpu;
}

models::GpuProfile profile(const std::string& id) {
  return models::find_gpu_profile(WARPSHOP_SOURCE_DIR, id).value();
}

// One size with 8,000 useful bytes: 10 µs cold and 8 µs warm; the reference takes 4 µs.
RunResult run_on(const std::string& gpu) {
  RunResult result;
  result.step = "pad";
  result.gpu = profile(gpu);
  SizeResult& size = result.sizes.emplace_back();
  size.useful_bytes = 8000;
  size.student.prediction.emplace().time_us = 9;
  size.student.prediction->launch_us = 4.5;
  size.reference.prediction.emplace().time_us = 6.5;
  size.reference.prediction->launch_us = 4.5;
  return result;
}

Measured measured_once() {
  Measured measured;
  measured.on = MeasuredOn{h200(), "node7", "13.0", "580.159.04", 0};
  Measurement& size = measured.sizes.emplace_back().emplace();
  size.correct = true;
  device::Timing& timing = size.job.timing.emplace();
  timing.student.median_us = 10;
  timing.student.warm_median_us = 8;
  timing.student.spread_us = 0.5;
  timing.reference.emplace().warm_median_us = 4;
  timing.copy_ceiling_gb_s = 4000;
  timing.empty_launch_us = 2.5;  // not the profile's 4.5
  measured.stage = {StageState::kPassed, 0, "10 µs"};
  return measured;
}

TEST(Times, MeasuredPredictedAndPublishedStandBesideEachOther) {
  RunResult result = run_on("h200");
  put_measured(measured_once(), result);
  Lab lab;
  lab.demo.emplace().scenes.resize(3);
  lab.demo->scenes[0].step = "pad";
  lab.demo->scenes[0].published = {"padded", 93.4, "GB/s", "GTX 280, J. Filipovič 2021"};
  lab.demo->scenes[1].step = "pad";  // without a figure
  lab.demo->scenes[2].step = "other";
  lab.demo->scenes[2].published = {"other", 1, "GB/s", "elsewhere"};

  const std::vector<TimeRow> rows = time_rows(lab, result, result.sizes.front());
  struct Row {
    Provenance provenance;
    Timed what;
    double us;
    double gb_s;
    std::optional<double> error;
    const char* origin;
  };
  const Row kRows[] = {
      {Provenance::kMeasured, Timed::kYours, 8, 1, {}, "NVIDIA H200, driver 580.159.04"},
      {Provenance::kPredicted, Timed::kYours, 7, 8.0 / 7, -0.125,
       "the model of NVIDIA H200, with the measured time of an empty launch"},
      {Provenance::kMeasured, Timed::kReference, 4, 2, {}, "NVIDIA H200, driver 580.159.04"},
      {Provenance::kPredicted, Timed::kReference, 4.5, 8.0 / 4.5, 0.125,
       "the model of NVIDIA H200, with the measured time of an empty launch"},
      {Provenance::kMeasured, Timed::kBestCopy, 0, 4000, {}, "NVIDIA H200, driver 580.159.04"},
      {Provenance::kPublished, Timed::kPublished, 0, 93.4, {}, "GTX 280, J. Filipovič 2021"},
  };
  ASSERT_EQ(rows.size(), std::size(kRows));
  for (size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(rows[i].provenance, kRows[i].provenance);
    EXPECT_EQ(rows[i].what, kRows[i].what);
    EXPECT_DOUBLE_EQ(rows[i].us, kRows[i].us);
    EXPECT_DOUBLE_EQ(rows[i].gb_s, kRows[i].gb_s);
    EXPECT_EQ(rows[i].error.has_value(), kRows[i].error.has_value());
    if (rows[i].error) {
      EXPECT_DOUBLE_EQ(*rows[i].error, *kRows[i].error);
    }
    EXPECT_EQ(rows[i].origin, kRows[i].origin);
  }
  EXPECT_EQ(rows.back().label, "padded");
  EXPECT_DOUBLE_EQ(rows[0].cold_us, 10);
  EXPECT_DOUBLE_EQ(rows[0].spread_us, 0.5);
}

TEST(Times, WithoutAMeasurementTheProfilesMemoryIsTheCeiling) {
  const RunResult result = run_on("h200");
  const std::vector<TimeRow> rows = time_rows(Lab(), result, result.sizes.front());
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2].what, Timed::kMemoryCeiling);
  EXPECT_DOUBLE_EQ(rows[2].gb_s, *result.gpu.dram_gb_s);
  EXPECT_FALSE(rows[2].origin.empty());
}

// More operations per useful byte than at the ridge point, the ratio of the ceilings. For the
// GTX 280 it is 5: 622 GFLOP/s / some 130 GB/s.
TEST(Times, BeyondTheRidgeArithmeticIsWhatCounts) {
  RunResult result = run_on("gtx-280");
  SizeResult& size = result.sizes.front();
  EXPECT_EQ(rate_of(size, result.gpu), Rate::kBandwidth) << "nothing is calculated";
  for (KernelRun* run : {&size.student, &size.reference}) {
    run->prediction->warp_instructions = 100;
    run->prediction->flop = 2 * size.useful_bytes;
  }
  EXPECT_EQ(rate_of(size, result.gpu), Rate::kBandwidth);
  for (KernelRun* run : {&size.student, &size.reference})
    run->prediction->flop = 10 * size.useful_bytes;
  EXPECT_EQ(rate_of(size, result.gpu), Rate::kArithmetic);
  const std::vector<TimeRow> rows = time_rows(Lab(), result, size);
  EXPECT_DOUBLE_EQ(rows[0].gflop_s, 80000.0 / 9 / 1e3);
  EXPECT_DOUBLE_EQ(rows[1].gflop_s, 80000.0 / 6.5 / 1e3);
  EXPECT_EQ(rows[2].what, Timed::kFp32Ceiling);
  size.useful_bytes = 0;
  EXPECT_EQ(rate_of(size, result.gpu), Rate::kArithmetic);
  for (KernelRun* run : {&size.student, &size.reference}) run->prediction->flop = 0;
  EXPECT_EQ(rate_of(size, result.gpu), Rate::kTime);
}

// A kernel on tensor cores has no operations of the FP32 units, and would have no row.
TEST(Times, AKernelOnTensorCoresIsComparedByItsTime) {
  RunResult result = run_on("gtx-280");
  SizeResult& size = result.sizes.front();
  for (KernelRun* run : {&size.student, &size.reference}) run->prediction->warp_instructions = 100;
  size.reference.prediction->flop = 10 * size.useful_bytes;
  size.student.prediction->flop = 0;
  EXPECT_EQ(rate_of(size, result.gpu), Rate::kTime);
  const std::vector<TimeRow> rows = time_rows(Lab(), result, size);
  ASSERT_EQ(rows.size(), 2U) << "no ceiling is one of times";
  const TimeComparison compared = compare_times(rows, Rate::kTime);
  ASSERT_TRUE(compared.yours);
  EXPECT_DOUBLE_EQ(compared.speed, 6.5 / 9);
  size.reference.prediction->flop = 2 * size.useful_bytes;
  EXPECT_EQ(rate_of(size, result.gpu), Rate::kBandwidth) << "both move the task's bytes";
  size.useful_bytes = 0;
  EXPECT_EQ(rate_of(size, result.gpu), Rate::kTime);
  size.student.prediction.reset();
  EXPECT_EQ(rate_of(size, result.gpu), Rate::kArithmetic) << "there is only the reference";
}

TEST(Times, WhatWasMeasuredAtTheSizeForTimesGoesThere) {
  RunResult result = run_on("h200");
  result.timed = result.sizes.front();
  Measured measured = measured_once();
  measured.timed = measured.sizes.front();
  measured.timed->job.timing->student.median_us = 40;
  measured.timed->job.timing->student.warm_median_us = 36;
  put_measured(measured, result);
  ASSERT_TRUE(result.timed->measured);
  EXPECT_EQ(time_rows(Lab(), result, *result.timed)[0].us, 36);
  EXPECT_DOUBLE_EQ(*result.timed->measured->student_prediction_error, 7.0 / 36 - 1);
  measured.timed->correct = false;
  measured.timed->job.timing->wrong_when_timed = 3;
  put_measured(measured, result);
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_FALSE(result.checks.front().passed) << "wrong at the size for times alone";
}

// A lab with a reference, and an H200's times for it and for one of the student's texts.
Lab lab_with_recorded_times() {
  Lab lab;
  Step& step = lab.steps.emplace_back();
  step.id = "pad";
  step.exercise.emplace().reference = "the reference";
  step.exercise->skeleton = "mine";
  RecordedTimes& gpu = lab.recorded_times.emplace_back();
  gpu.gpu = "h200";
  gpu.name = "NVIDIA H200";
  gpu.driver = "580.159.04";
  gpu.times = {{"pad", "start", text_id("mine"), {{"n", 4}}, 10, 9, 0.5, 2.5},
               {"pad", "reference", text_id("the reference"), {{"n", 4}}, 5, 4, 0.25, 2.5}};
  return lab;
}

TEST(Times, ARecordedTimeComesAfterThePredictedOneForTheSameTextAndSize) {
  const Lab lab = lab_with_recorded_times();
  RunResult result = run_on("h200");
  SizeResult& size = result.sizes.front();
  result.source = "mine";
  size.size.variables = {{"n", 4}};
  std::vector<TimeRow> rows = time_rows(lab, result, size);
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0].provenance, Provenance::kPredicted);
  EXPECT_EQ(rows[0].what, Timed::kYours);
  EXPECT_EQ(rows[0].us, 9);
  EXPECT_DOUBLE_EQ(*rows[0].error, -0.1);
  EXPECT_EQ(rows[1].provenance, Provenance::kMeasured);
  EXPECT_TRUE(rows[1].kept);
  EXPECT_EQ(rows[1].us, 10);
  EXPECT_EQ(rows[1].cold_us, 9);
  EXPECT_EQ(rows[1].spread_us, 0.5);
  EXPECT_EQ(rows[1].empty_us, 2.5);
  EXPECT_DOUBLE_EQ(rows[1].gb_s, 0.8);
  EXPECT_EQ(rows[1].origin.english(), "NVIDIA H200, driver 580.159.04; recorded in the lab");
  EXPECT_EQ(rows[2].us, 6.5);
  EXPECT_DOUBLE_EQ(*rows[2].error, 6.5 / 5 - 1);
  EXPECT_EQ(rows[3].us, 5);

  result.source = "  mine  // with a comment\n/* and another */";
  EXPECT_EQ(time_rows(lab, result, size)[1].provenance, Provenance::kMeasured) << "the same code";

  result.source = "mine, changed";
  rows = time_rows(lab, result, size);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].provenance, Provenance::kPredicted) << "nobody measured that text";
  EXPECT_FALSE(rows[0].error);
  EXPECT_EQ(rows[0].us, 9) << "as before the change: with the same launch";
  EXPECT_EQ(rows[1].what, Timed::kReference);
  EXPECT_EQ(rows[1].provenance, Provenance::kPredicted) << "predicted beside predicted";
  EXPECT_EQ(rows[1].us, 6.5);
  EXPECT_EQ(rows[2].what, Timed::kReference);
  EXPECT_EQ(rows[2].provenance, Provenance::kMeasured);

  size.size.variables = {{"n", 5}};
  for (const TimeRow& row : time_rows(lab, result, size))
    EXPECT_FALSE(row.provenance == Provenance::kMeasured && row.what != Timed::kMemoryCeiling);
  RunResult other = run_on("h100");
  other.sizes.front().size.variables = {{"n", 4}};
  for (const TimeRow& row : time_rows(lab, other, other.sizes.front()))
    EXPECT_FALSE(row.provenance == Provenance::kMeasured && row.what != Timed::kMemoryCeiling);
}

TEST(Times, AKernelIsComparedWithTheReferenceAsItWasTimed) {
  const Lab lab = lab_with_recorded_times();
  RunResult result = run_on("h200");
  SizeResult& size = result.sizes.front();
  size.size.variables = {{"n", 4}};
  size.student.prediction->dram_bytes = size.useful_bytes;
  // With the emulator alone, a recorded time does not take part: an edit that changes nothing
  // changes no figure.
  for (const char* source : {"mine", "mine, changed"}) {
    SCOPED_TRACE(source);
    result.source = source;
    const std::vector<TimeRow> rows = time_rows(lab, result, size);
    for (const Rate rate : {Rate::kBandwidth, Rate::kTime}) {
      const TimeComparison got = compare_times(rows, rate);
      ASSERT_EQ(got.yours, &rows.front());
      EXPECT_EQ(got.yours->provenance, Provenance::kPredicted);
      EXPECT_EQ(got.yours->us, 9);
      EXPECT_DOUBLE_EQ(got.speed, 6.5 / 9);
      EXPECT_FALSE(got.good);
    }
    const std::optional<timing::LimiterSummary> limiter = limiter_summary_of(rows, result, size);
    ASSERT_TRUE(limiter);
    EXPECT_DOUBLE_EQ(limiter->floor_us, 4.5 + 8000 / *result.gpu.dram_gb_s / 1e3);
  }
  // A GPU that has run both gives measured times.
  result.source = "mine";
  RunResult on_gpu = result;
  put_measured(measured_once(), on_gpu);
  const std::vector<TimeRow> measured = time_rows(lab, on_gpu, on_gpu.sizes.front());
  EXPECT_EQ(compare_times(measured, Rate::kTime).yours->us, 8);
  EXPECT_DOUBLE_EQ(compare_times(measured, Rate::kTime).speed, 4.0 / 8);
  // Without a prediction, the recorded times are all there is.
  size.student.prediction.reset();
  size.reference.prediction.reset();
  const std::vector<TimeRow> alone = time_rows(lab, result, size);
  ASSERT_EQ(alone.front().provenance, Provenance::kMeasured);
  EXPECT_DOUBLE_EQ(compare_times(alone, Rate::kTime).speed, 5.0 / 10);
  // A difference of a tenth does not matter.
  std::vector<TimeRow> rows(2);
  rows[0].what = Timed::kYours;
  rows[1].what = Timed::kReference;
  rows[1].us = 10;
  rows[0].us = 10.9;
  EXPECT_TRUE(compare_times(rows, Rate::kTime).good);
  rows[0].us = 11.1;
  EXPECT_FALSE(compare_times(rows, Rate::kTime).good);
  EXPECT_EQ(compare_times({}, Rate::kTime).yours, nullptr);
}

// The start is predicted at 27 µs and was recorded at 20 µs on an H200.
Lab lab_with_a_start() {
  Lab lab;
  Step& step = lab.steps.emplace_back();
  step.id = "pad";
  step.exercise.emplace().skeleton = "start";
  RecordedTimes& times = lab.recorded_times.emplace_back();
  times.gpu = "h200";
  RecordedTime& time = times.times.emplace_back();
  time.step = "pad";
  time.text = text_id("start");
  time.size = {{"n", 4}};
  time.warm_us = 20;
  return lab;
}

TEST(Times, AnEstimateIsComparedWithTimesOfOneKind) {
  Lab lab = lab_with_a_start();
  RunResult result = run_on("h200");
  result.source = "mine";
  SizeResult& size = result.sizes.front();
  size.size.variables = {{"n", 4}};
  const auto of = [&](Estimate::Of what, const RunResult& run) {
    const SizeResult& at = run.sizes.front();
    return outcome_of({"?", what}, lab, run, at, time_rows(lab, run, at));
  };
  // Predicted: 9 µs, and the start's time is not known.
  EXPECT_EQ(of(Estimate::Of::kTime, result)->value, 9);
  EXPECT_EQ(of(Estimate::Of::kTime, result)->provenance, Provenance::kPredicted);
  EXPECT_FALSE(of(Estimate::Of::kSpeedup, result));
  size.start_us = 27;
  EXPECT_EQ(of(Estimate::Of::kSpeedup, result)->value, 3);
  EXPECT_EQ(of(Estimate::Of::kSpeedup, result)->provenance, Provenance::kPredicted);
  // Measured: 8 µs, beside the start's recording on such a GPU.
  RunResult on_gpu = result;
  put_measured(measured_once(), on_gpu);
  EXPECT_EQ(of(Estimate::Of::kTime, on_gpu)->value, 8);
  EXPECT_EQ(of(Estimate::Of::kTime, on_gpu)->provenance, Provenance::kMeasured);
  EXPECT_EQ(of(Estimate::Of::kSpeedup, on_gpu)->value, 2.5);
  EXPECT_EQ(of(Estimate::Of::kSpeedup, on_gpu)->provenance, Provenance::kMeasured);
  // Without a recording, both times are predicted, although one is measured.
  lab.recorded_times.clear();
  EXPECT_EQ(of(Estimate::Of::kSpeedup, on_gpu)->value, 3);
  EXPECT_EQ(of(Estimate::Of::kSpeedup, on_gpu)->provenance, Provenance::kPredicted);
  // A measured time does not go with a recording of another GPU.
  lab = lab_with_a_start();
  lab.recorded_times[0].gpu = "h100";
  RunResult elsewhere = run_on("h100");
  elsewhere.source = "mine";
  elsewhere.sizes.front().size.variables = {{"n", 4}};
  put_measured(measured_once(), elsewhere);  // on an H200
  EXPECT_FALSE(of(Estimate::Of::kSpeedup, elsewhere));
  // Nothing has a time.
  RunResult nothing = run_on("h200");
  nothing.sizes.front().student.prediction.reset();
  EXPECT_FALSE(of(Estimate::Of::kTime, nothing));
}

TEST(Times, WhatIsMeasuredHereComesBeforeWhatIsKept) {
  const Lab lab = lab_with_recorded_times();
  RunResult result = run_on("h200");
  result.source = "mine";
  result.sizes.front().size.variables = {{"n", 4}};
  put_measured(measured_once(), result);
  EXPECT_EQ(time_rows(lab, result, result.sizes.front())[0].us, 8);
}

TEST(Times, APredictionForAnotherGpuHasNoError) {
  RunResult result = run_on("h100");  // but the kernel was measured on an H200
  put_measured(measured_once(), result);
  for (const TimeRow& row : time_rows(Lab(), result, result.sizes.front())) {
    EXPECT_FALSE(row.error.has_value());
    if (row.provenance == Provenance::kPredicted && row.what == Timed::kYours) {
      EXPECT_EQ(row.us, 9);
    }
  }
}

TEST(Times, AProfileIsThatOfAGpuByCapabilitySmsAndMemory) {
  device::GpuInfo h100 = h200();  // as the driver of an H100 SXM reports: 80 GB of HBM3, 5120 bits
  h100.memory_clock_mhz = 2619;
  h100.bus_width_bits = 5120;
  EXPECT_TRUE(is_profile_of(profile("h200"), h200()));
  EXPECT_FALSE(is_profile_of(profile("h100"), h200()));
  EXPECT_TRUE(is_profile_of(profile("h100"), h100));
  EXPECT_FALSE(is_profile_of(profile("h200"), h100));
  for (const char* other : {"a100", "v100", "b200", "8800-gt"}) {
    EXPECT_FALSE(is_profile_of(profile(other), h200())) << other;
  }
}

TEST(Times, MeasuringDecidesOverAResultOnlyWhereItIsWrong) {
  RunResult right = run_on("h200");
  right.passed = true;
  put_measured(measured_once(), right);
  EXPECT_TRUE(right.passed);
  ASSERT_EQ(right.checks.size(), 1U);
  EXPECT_TRUE(right.checks.front().passed);

  Measured measured = measured_once();
  measured.sizes[0]->correct = false;
  measured.sizes[0]->job.timing->wrong_when_timed = 7;
  RunResult wrong = run_on("h200");
  wrong.passed = true;
  put_measured(measured, wrong);
  EXPECT_FALSE(wrong.passed);
  EXPECT_EQ(wrong.checks.front().id, "gpu-correct");

  Measured none;  // without a GPU there is no verdict on the kernel
  none.problems = {make_error("gpu-none", "there is no NVIDIA driver")};
  RunResult without = run_on("h200");
  without.passed = true;
  put_measured(none, without);
  EXPECT_TRUE(without.passed);
  EXPECT_TRUE(without.checks.empty());
}

}  // namespace
}  // namespace warpshop::lab
