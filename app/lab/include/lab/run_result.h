// Everything known about one run of a student's kernel beside its reference. The window, the command line,
// grading and the tests read this value and nothing else.
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
#include "lab/film.h"
#include "lab/lab.h"
#include "models/gpu_profile.h"
#include "timing/counters.h"
#include "timing/instruction_counts.h"
#include "timing/limit.h"
#include "timing/memory_timeline.h"
#include "timing/model_figures.h"
#include "timing/occupancy.h"
#include "timing/prediction.h"

namespace warpshop::lab {

// Where a number comes from; every number shown wears it.
enum class Provenance { kMeasured, kSimulated, kPredicted, kPublished };
std::string_view name_of(Provenance provenance);

enum class Stage { kCompile, kCheck, kEmulate, kCompare, kMeasure };
inline constexpr int kStageCount = 5;
std::string_view name_of(Stage stage);        // "Compile", …
enum class StageState { kWaiting, kRunning, kPassed, kFailed, kSkipped, kStopped };

struct StageReport {
  StageState state = StageState::kWaiting;
  double seconds = 0;
  Sentence summary;                           // "31 ms", "no findings", "3 findings", "no GPU here"
};

// Counters of one source line, over all its memory instructions.
struct LineCost {
  int line = 0;
  uint64_t warp_instructions = 0;             // all PTX instructions of the line
  uint64_t lane_instructions = 0;
  timing::SiteCounters load;                  // global loads
  timing::SiteCounters store;                 // global stores
  timing::SiteCounters shared;                // shared accesses
  // The same three by the rules of a GPU whose generation has others: KernelRun::chip.
  timing::ModelSite chip_load, chip_store, chip_shared;
};

// A line of the PTX that is an instruction of the kernel.
struct PtxLineCost {
  int ptx_line = 0;
  int line = 0;                               // of the source file; 0: of none
  uint64_t warp_instructions = 0;
  uint64_t lane_instructions = 0;
};

// One kernel run once on the emulator at one problem size.
struct KernelRun {
  std::string kernel;
  emulator::Dim3 grid;
  emulator::Dim3 block;
  uint32_t dynamic_shared_bytes = 0;
  int registers = 0;
  uint32_t static_shared_bytes = 0;
  timing::Occupancy occupancy;
  timing::Counters counters;
  timing::InstructionCounts instructions;
  std::optional<timing::ModelFigures> model;         // by the rules of the exercise's model GPU
  // By the rules of the GPU that the run is for, where they are not those that `counters` are counted by: chips before 5.0.
  std::optional<timing::ModelFigures> chip;
  std::vector<emulator::AccessSite> sites;
  std::vector<timing::SiteCounters> site_costs;      // one for each site
  std::vector<LineCost> lines;                       // ascending line
  std::vector<timing::RecordedAccess> records;       // of the recorded blocks: the scrubber's film
  bool records_truncated = false;
  std::vector<emulator::Finding> findings;
  bool more_findings = false;                        // there are further ones, which are not kept
  std::string printed;
  std::vector<emulator::PrintedCall> printed_calls;  // whose texts `printed` is made of
  uint64_t printed_dropped = 0;                      // calls that are not in it
  bool completed = false;
  uint64_t thread_instructions = 0;
  uint64_t warp_instructions = 0;
  double seconds = 0;                                // emulation alone
  std::optional<timing::Prediction> prediction;      // none: not asked for, or the GPU's profile has no timing
  std::optional<timing::Limit> limit;                // of the prediction, by the bytes that the task needs
  // What the launch asks of the memory chips of the run's GPU over time; null: not asked for.
  std::shared_ptr<const timing::MemoryTimeline> memory;
  std::string ptx;
  std::shared_ptr<const std::vector<uint8_t>> cubin; // what the back end made of it; null: not compiled here
  std::vector<PtxLineCost> ptx_lines;                // ascending ptx_line
  std::shared_ptr<const FilmSource> films;           // of its warps; null where none can be played again
  std::string file_name;                             // the source file that lines and sites count in
};

// How far off wrong elements are: |got − expected| / |expected|, of an expected 0 the difference itself, by powers of ten.
struct ErrorHistogram {
  static constexpr int kDecades = 9;
  static constexpr int kFirstPower = -6;     // decades[0]: below 10^-6
  std::array<uint64_t, kDecades> decades{};  // [d]: from 10^(d − 7) to below 10^(d − 6); the last has no end
  uint64_t no_number = 0;                    // NaN or infinite where the other is not
  uint64_t never_written = 0;
  bool operator==(const ErrorHistogram&) const = default;
};

// Element-wise comparison of one output buffer with the reference's, or of an input that changed with itself.
struct BufferComparison {
  std::string buffer;
  bool is_input = false;               // no output: compared with what it held before the launch, since the kernel changed it
  ElementType type = ElementType::kF32;
  uint64_t count = 0;                  // elements
  uint64_t width = 0;                  // columns for the map; height = ceil(count / width)
  bool has_rows = false;               // they are those of a matrix; else the array has one dimension, whatever the map's
  uint64_t wrong = 0;
  struct Mismatch {
    uint64_t index = 0;
    double expected = 0;
    double got = 0;
    std::string expected_text;         // exact decimal text, "nan", "never written"
    std::string got_text;
  };
  std::optional<Mismatch> first;
  double max_abs_error = 0;
  ErrorHistogram errors;               // of all that are wrong
  std::vector<uint8_t> wrong_bits;     // bit i: element i is wrong; empty when none is
  Sentence in_common;                  // what the wrong ones have in common, in sentences; may be empty
};

// Both kernels run and timed on a real GPU at one problem size.
struct Measurement {
  device::JobResult job;               // comparison, guard zones, times, counters, figures of the driver
  double student_gb_s = 0;             // useful bytes by the cold median; 0: the lab gives none
  double reference_gb_s = 0;
  double student_of_ceiling = 0;       // student_gb_s by the best copy of this GPU
  bool correct = false;                // outputs, those of the timed launches too, and guard zones
  // Predicted by warm time, less 1; where the profile that the run was for is the GPU's own.
  std::optional<double> student_prediction_error;
  std::optional<double> reference_prediction_error;
};

// The GPU that measured.
struct MeasuredOn {
  device::GpuInfo gpu;
  std::string host;
  std::string driver;                  // the CUDA version that it is for
  std::string driver_version;          // its own, "580.159.04"; empty: not known
  double peak_gb_s = 0;                // what its memory's pins can move
};

struct SizeResult {
  ProblemSize size;
  double useful_bytes = 0;             // that a perfect kernel moves; 0 when the lab gives none
  bool correct = false;
  std::vector<BufferComparison> outputs;
  KernelRun student;
  KernelRun reference;
  // The lab's own start and worked solution at this size, which bound the student's cost: at the first size, of a kernel
  // that passes every other check. Null: not run, or not to its end.
  std::shared_ptr<const KernelRun> start, solution;
  Diagnostics problems;                // a launch refused, a launch function that fails, …
  std::optional<Measurement> measured; // on a real GPU, when the run asked for one
};

struct CheckResult {
  std::string id;
  Sentence title;
  bool passed = false;
  Sentence got = {};                   // "32 sectors per request"
  Sentence wanted = {};                // "at most 4"
  Sentence message = {};               // help when it failed; empty when it passed
  bool evaluated = false;              // false: the run did not come so far
  // Of the lab's own checks that were evaluated: the number in `got`, its unit as the lab has it ("%"), and its formula.
  std::optional<double> value = {};
  std::string unit = {};
  std::string metric = {};
};

// A tenth more than the reference's is marked as worse; less may be a row's end, or the order of two launches.
inline constexpr double kWorseFrom = 1.1;
inline bool is_worse(double yours, double reference) { return yours > kWorseFrom * reference; }

// True when the kernel, not the machine or the way to it, is why a size was not measured.
bool is_kernels_fault(const Diagnostic& measure_problem);

// A fault or a hang of a GPU, which names no line, with what the emulator found: its place and
// cause.
Diagnostic with_emulators_finding(Diagnostic problem,
                                  const std::vector<emulator::Finding>& findings);

struct RunResult {
  std::string lab;
  std::string step;
  std::string file_name;               // the student's file, as diagnostics name it
  std::string source;                  // the text that was run
  models::GpuProfile gpu;
  std::array<StageReport, kStageCount> stages;
  Diagnostics diagnostics;             // compiler errors and warnings, unsupported instructions, …
  std::vector<SizeResult> sizes;       // sizes.front() is shown in the panels
  // The exercise's size for times: launches, predictions and what a GPU measured; nothing was emulated. None: the
  // exercise has no such size, the results are not right, or no times were asked for.
  std::optional<SizeResult> timed;
  std::vector<CheckResult> checks;     // "correct", "no-findings", the lab's own in order, "whole-kernel"
  bool passed = false;                 // every check holds
  bool stopped = false;
  std::optional<MeasuredOn> measured_on;   // the GPU of SizeResult::measured
  Diagnostics measure_problems;        // why a size was not measured: no GPU, a fault, a hang, …
  Diagnostics prediction_problems;  // why a time was not predicted: the profile lacks numbers, …
  double seconds = 0;                  // edit → result, all stages

  const StageReport& stage(Stage s) const { return stages[static_cast<size_t>(s)]; }
  // The size that times are of: `timed` once it has any, else the first. Null: nothing ran.
  const SizeResult* timed_size() const {
    return has_timed() ? &*timed : sizes.empty() ? nullptr : &sizes.front();
  }
  // Every size in the order of tables of times: timed_size() first, then the others.
  std::vector<const SizeResult*> sizes_by_time() const {
    std::vector<const SizeResult*> out;
    if (has_timed()) out.push_back(&*timed);
    for (const SizeResult& size : sizes) out.push_back(&size);
    return out;
  }
  // What the step is about: the first of the lab's own checks that fails, else its first. Null: none was evaluated.
  const CheckResult* main_check() const;
  bool has_timed() const { return timed && (timed->student.prediction || timed->measured); }
  const KernelRun* student() const { return sizes.empty() ? nullptr : &sizes.front().student; }
  const KernelRun* reference() const { return sizes.empty() ? nullptr : &sizes.front().reference; }
};

}  // namespace warpshop::lab
