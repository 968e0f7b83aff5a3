// Everything known about one run of a student's kernel beside its reference. The window, the
// command line, grading and the tests read this value and nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic.h"
#include "device/protocol.h"
#include "emulator/access.h"
#include "emulator/finding.h"
#include "emulator/launch.h"
#include "emulator/tensor_products.h"
#include "lab/lab.h"
#include "lab/provenance.h"
#include "models/gpu_profile.h"
#include "timing/counters.h"
#include "timing/instruction_counts.h"
#include "timing/limiter_summary.h"
#include "timing/model_figures.h"
#include "timing/occupancy.h"
#include "timing/prediction.h"

namespace warpshop::timing {
struct MemoryTimeline;
}

namespace warpshop::lab {

class FilmSource;

enum class Stage { kCompile, kCheck, kEmulate, kCompare, kMeasure };
inline constexpr int kStageCount = 5;
std::string_view name_of(Stage stage);  // "Compile", …
enum class StageState { kWaiting, kRunning, kPassed, kFailed, kSkipped, kStopped };

struct StageReport {
  StageState state = StageState::kWaiting;
  double seconds = 0;
  Sentence summary;  // "31 ms", "no findings", "3 findings", "no GPU here"
};

// Counters of one source line, summed over its memory instructions.
struct LineCost {
  int line = 0;
  uint64_t warp_instructions = 0;  // all PTX instructions on the line
  uint64_t lane_instructions = 0;
  timing::SiteCounters load;    // global loads
  timing::SiteCounters store;   // global stores
  timing::SiteCounters shared;  // shared accesses
  // The same three by the rules of a GPU whose generation has others: KernelRun::chip.
  timing::ModelSite chip_load, chip_store, chip_shared;
};

// A PTX line that holds an instruction of the kernel.
struct PtxLineCost {
  int ptx_line = 0;
  int line = 0;  // in the source file; 0: none
  uint64_t warp_instructions = 0;
  uint64_t lane_instructions = 0;
};

// One run of a kernel on the emulator at one problem size.
struct KernelRun {
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  uint32_t dynamic_shared_bytes = 0;
  int registers = 0;
  uint32_t static_shared_bytes = 0;
  uint32_t spill_bytes = 0;            // local memory per thread for values that found no register
  uint32_t copy_groups_in_flight = 0;  // see emulator::LaunchResult
  timing::Occupancy occupancy;
  timing::Counters counters;
  timing::InstructionCounts instructions;
  std::optional<timing::ModelFigures> model;  // by the rules of the exercise's model GPU
  // By the rules of the GPU that the run is for, where they are not those that `counters` are
  // counted by: chips before 5.0.
  std::optional<timing::ModelFigures> chip;
  std::vector<emulator::AccessSite> sites;
  std::vector<emulator::TensorProduct> tensor_products;
  std::vector<timing::SiteCounters> site_costs;  // one per site
  timing::LaunchContention contention;           // where its atomics meet
  std::vector<LineCost> lines;                   // ascending line
  std::vector<timing::RecordedAccess> records;   // from the recorded blocks, for the scrubber
  bool records_truncated = false;
  std::vector<emulator::Finding> findings;
  bool more_findings = false;  // there were more, which are not kept
  std::string printed;
  std::vector<emulator::PrintedCall> printed_calls;  // the calls that make up `printed`
  uint64_t printed_dropped = 0;                      // calls missing from it
  bool completed = false;
  bool needs_one_thread = false;  // blocks raced, on several threads: not run to its end
  uint64_t thread_instructions = 0;
  uint64_t warp_instructions = 0;
  uint64_t longest_warp = 0;     // instructions of the warp that executed most
  double squared_work = 0;       // see emulator::LaunchResult
  uint64_t remote_requests = 0;  // see emulator::LaunchResult
  double seconds = 0;            // emulation alone
  std::optional<timing::Prediction>
      prediction;  // none: not requested, or the GPU's profile has no timing
  // From the prediction and the bytes that the task needs.
  std::optional<timing::LimiterSummary> limiter;
  // The launch's load on the memory of the run's GPU over time; null: not requested.
  std::shared_ptr<const timing::MemoryTimeline> memory;
  std::string ptx;
  // The back end's output; null: not compiled here.
  std::shared_ptr<const std::vector<uint8_t>> cubin;
  std::vector<PtxLineCost> ptx_lines;       // ascending ptx_line
  std::shared_ptr<const FilmSource> films;  // of its warps; null if none can be replayed
  std::string file_name;                    // the source file that lines and sites refer to
};

// Histogram of errors by powers of ten: |got − expected| / |expected|, or the plain difference if 0
// was expected.
struct ErrorHistogram {
  static constexpr int kDecades = 9;
  static constexpr int kFirstPower = -6;  // decades[0]: below 10^-6
  std::array<uint64_t, kDecades>
      decades{};           // [d]: from 10^(d − 7) to below 10^(d − 6); the last is unbounded
  uint64_t no_number = 0;  // NaN or infinite, unlike the expected value
  uint64_t never_written = 0;
  bool operator==(const ErrorHistogram&) const = default;
};

// Element-wise comparison of an output buffer with the reference's, or of a changed input with its
// original contents.
struct BufferComparison {
  std::string buffer;
  bool is_input = false;  // not an output: the kernel changed it, so it is compared with its
                          // contents before the launch
  ElementType type = ElementType::kF32;
  uint64_t count = 0;     // elements
  uint64_t width = 0;     // columns for the map; height = ceil(count / width)
  bool has_rows = false;  // a matrix of that width; else one-dimensional, whatever the map's width
  uint64_t wrong = 0;
  struct Mismatch {
    uint64_t index = 0;
    double expected = 0;
    double got = 0;
    std::string expected_text;  // exact decimal text, "nan", "never written"
    std::string got_text;
  };
  std::optional<Mismatch> first;
  double max_abs_error = 0;
  ErrorHistogram errors;            // of all wrong elements
  std::vector<uint8_t> wrong_bits;  // bit i: element i is wrong; empty if none is
  Sentence in_common;  // what the wrong elements have in common, in sentences; may be empty
};

// Both kernels, run and timed on a real GPU at one problem size.
struct Measurement {
  device::JobResult job;    // comparison, guard zones, times, counters, driver figures
  double student_gb_s = 0;  // useful bytes ÷ cold median; 0: the lab gives none
  double reference_gb_s = 0;
  double student_of_ceiling = 0;  // student_gb_s ÷ the best copy on this GPU
  bool correct = false;           // outputs, including those of timed launches, and guard zones
  // Predicted ÷ warm − 1; set if the run's profile is this GPU's own.
  std::optional<double> student_prediction_error;
  std::optional<double> reference_prediction_error;
};

// The GPU that took the measurements.
struct MeasuredOn {
  device::GpuInfo gpu;
  std::string host;
  std::string driver;          // the CUDA version that the driver supports
  std::string driver_version;  // "580.159.04"; empty: unknown
  double peak_gb_s = 0;        // pin bandwidth of its memory
};

struct SizeResult {
  ProblemSize size;
  double useful_bytes = 0;  // bytes that a perfect kernel moves; 0 if the lab gives none
  bool correct = false;
  // A user's own kernel: why equal results prove little, for example that all of out is 0.
  Sentence unproven;
  std::vector<BufferComparison> outputs;
  KernelRun student;
  KernelRun reference;
  // The lab's own start and worked solution at this size, which bound the student's cost. Run at
  // the first size, once every other check passes. Null: not run, or not completed.
  std::shared_ptr<const KernelRun> start, solution;
  // The start's predicted time, if every check passes and the exercise asks for an estimate of the
  // speedup.
  std::optional<double> start_us;
  Diagnostics problems;                 // a launch refused, a launch function that fails, …
  std::optional<Measurement> measured;  // on a real GPU, if requested
};

struct CheckResult {
  std::string id;
  Sentence title;
  bool passed = false;
  Sentence got = {};       // "32 sectors per request"
  Sentence wanted = {};    // "at most 4"
  Sentence message = {};   // help if it failed; empty if it passed
  bool evaluated = false;  // false: the run did not get that far
  // For the lab's own checks, once evaluated: the number in `got`, the lab's unit ("%"), and the
  // formula.
  std::optional<double> value = {};
  std::string unit = {};
  std::string metric = {};
};

// Mark as worse from a tenth above the reference; less may come from row ends or the order of two
// launches.
inline constexpr double kWorseFrom = 1.1;
inline bool is_worse(double yours, double reference) { return yours > kWorseFrom * reference; }

// True if the kernel, not the machine or the connection, is why a size was not measured.
bool is_kernels_fault(const Diagnostic& measure_problem);

// Adds the place and cause that the emulator found to a GPU fault or hang, which name no line.
Diagnostic with_emulators_finding(Diagnostic problem,
                                  const std::vector<emulator::Finding>& findings);

struct RunResult {
  std::string lab;
  std::string step;
  std::string file_name;  // the student's file, as diagnostics name it
  std::string source;     // the text that ran
  models::GpuProfile gpu;
  std::array<StageReport, kStageCount> stages;
  Diagnostics diagnostics;        // compiler errors and warnings, unsupported instructions, …
  std::vector<SizeResult> sizes;  // sizes.front() is shown in the panels
  // The exercise's size for times: launches, predictions and GPU measurements; not emulated. None:
  // the exercise has no such size, the results are wrong, or no times were requested.
  std::optional<SizeResult> timed;
  std::vector<CheckResult>
      checks;           // "correct", "no-findings", the lab's own in order, "whole-kernel"
  bool passed = false;  // every check passes
  bool stopped = false;
  // The user's own kernel did not compile when it was opened: this text is its own reference.
  bool first_to_compile = false;
  std::optional<MeasuredOn> measured_on;  // the GPU of SizeResult::measured
  Diagnostics measure_problems;     // why a size was not measured: no GPU, a fault, a hang, …
  Diagnostics prediction_problems;  // why a time was not predicted: the profile lacks numbers, …
  double seconds = 0;               // from edit to result, all stages

  const StageReport& stage(Stage s) const { return stages[static_cast<size_t>(s)]; }
  // The size that times refer to: `timed` once it has any, else the first. Null: nothing ran.
  const SizeResult* timed_size() const {
    return has_timed() ? &*timed : sizes.empty() ? nullptr : &sizes.front();
  }
  // Every size, in the order of the tables of times: timed_size() first, then the others.
  std::vector<const SizeResult*> sizes_by_time() const {
    std::vector<const SizeResult*> out;
    if (has_timed()) out.push_back(&*timed);
    for (const SizeResult& size : sizes) out.push_back(&size);
    return out;
  }
  // The check that the step is about: the first of the lab's own checks that fails, else its first.
  // Null: none evaluated.
  const CheckResult* main_check() const;
  bool has_timed() const { return timed && (timed->student.prediction || timed->measured); }
  const KernelRun* student() const { return sizes.empty() ? nullptr : &sizes.front().student; }
  const KernelRun* reference() const { return sizes.empty() ? nullptr : &sizes.front().reference; }
};

}  // namespace warpshop::lab
