// Grades a folder of submissions: one folder per student, files named after the exercises. Each
// submission is compiled and run in its own sandboxed process (core/sandbox.h), so whatever it
// does, it fails only its own exercise. docs/grading.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/descriptor.h"
#include "core/result.h"
#include "core/sandbox.h"
#include "core/stop.h"
#include "device/worker_client.h"
#include "lab/lab.h"
#include "lab/run_result.h"
#include "models/gpu_profile.h"

namespace warpshop::grade {

enum class Verdict {
  kPassed,
  kFailed,    // a check fails
  kRefused,   // not a text that can be judged: a link, too large, not text
  kBroken,    // it does not compile, or its launch is refused
  kLimit,     // it exceeded its time, memory or output limit, or crashed the compiler
  kMissing,   // nothing was handed in
  kNoVerdict  // not the student's fault: the lab, the GPU, the sandbox or this machine failed
};
std::string_view name_of(Verdict verdict);  // "passed", …

struct CheckLine {
  std::string id;
  std::string title;
  bool passed = false;
  std::string got;
  std::string wanted;
};

// Times of a real GPU at the first size.
struct MeasuredTimes {
  std::string gpu;
  double student_us = 0;
  double reference_us = 0;
  double student_gb_s = 0;
};

struct Grade {
  std::string student;
  std::string lab;
  std::string step;
  // Of everything that decides the grade: a different one means grading again.
  std::string fingerprint;
  Verdict verdict = Verdict::kMissing;
  std::string reason;  // one sentence; empty when passed
  std::vector<CheckLine> checks;
  std::vector<std::string> messages;  // compiler errors, findings
  std::optional<MeasuredTimes> measured;
  double seconds = 0;     // from the start of its process to its end
  int64_t graded_at = 0;  // seconds since 1970, UTC
  std::string sandbox;    // a description of its sandbox; empty: it had none
  // Given after grading (grade/points.h), so not in the journal.
  std::optional<int> points;  // none: no verdict, or not given yet
  int max_points = 0;

  std::string exercise() const { return lab + "/" + step; }
};

// One student's file for one exercise. Paths are relative to Class::root.
struct Submission {
  std::string student;           // the folder's name in UTF-8, with %XX for invalid bytes
  std::filesystem::path folder;  // the student's
  const lab::Lab* lab = nullptr;
  const lab::Step* step = nullptr;
  std::filesystem::path file;  // empty: missing
  std::string unreadable;      // why it is unknown whether the file exists; empty: it is known
  std::string left_alone;      // names in the student's folder that match no exercise; empty: none
};

struct Class {
  std::shared_ptr<const Descriptor> root;  // the folder of submissions, held open
  std::vector<std::string> students;       // sorted
  std::vector<Submission> submissions;     // by exercise, then student
  std::vector<std::pair<const lab::Lab*, const lab::Step*>> exercises;
  // Notes: links and files that match no exercise; errors: what cannot be read.
  Diagnostics ignored;
};

// `wanted`: LAB or LAB/STEP; empty: every exercise with at least one submission. A file is named
// LAB/STEP.cu, LAB-STEP.cu, or STEP.cu if only one lab has that step; names are case-sensitive.
// Error: no such folder or exercise.
Result<Class> find_submissions(const std::filesystem::path& folder,
                               const std::vector<lab::Lab>& labs,
                               const std::vector<std::string>& wanted);

// The same for a folder that is one student's submission; the student has its name.
Result<Class> find_submission(const std::filesystem::path& folder,
                              const std::vector<lab::Lab>& labs,
                              const std::vector<std::string>& wanted);

struct GradeOptions {
  std::filesystem::path out;  // receives grades.jsonl and, at the end, the reports
  uint64_t inputs = 0;  // the seed of the labs' inputs (lab::with_inputs), for the reports; already
                        // applied to the labs
  models::GpuProfile gpu;
  int jobs = 0;              // concurrent submissions; 0: one per core
  double time_limit_s = 60;  // processor time per submission
  double wall_limit_s = 0;   // wall time per submission; 0: four times time_limit_s
  uint64_t memory_bytes = uint64_t{2} << 30;  // per submission
  uint64_t file_limit_bytes = uint64_t{1} << 20;
  uint64_t instruction_budget = 500'000'000;
  device::WorkerClient* worker = nullptr;  // measures the submissions that passed
  bool gpu_wanted = false;  // without `worker`: other processes grading this class have one
  int worker_gpu = -1;
  double worker_time_limit_s = 10;  // per size, excluding compilation
  int group = 0;                    // of `groups`: the students whose index modulo groups
  int groups = 1;
  const StopFlag* stop = nullptr;
  std::function<void(size_t done, size_t all)> progress;

  bool on_gpu() const { return worker != nullptr || gpu_wanted; }
};

// The seed of a grading's inputs: `wanted`, else the one stored in `out`, else a new one from the
// system's random numbers, so that no student can know or choose it. Stored in out/inputs-seed,
// readable only by its owner, so that rerunning the command uses the same inputs. Error: the file
// cannot be read or written, or holds no seed.
Result<uint64_t> inputs_seed(const std::filesystem::path& out, std::optional<uint64_t> wanted);

struct GradeResult {
  std::vector<Grade> grades;  // for every student and exercise, including missing submissions
  std::string sandbox;        // a description of the sandboxes
  uint64_t inputs = 0;        // GradeOptions::inputs
  size_t graded_now = 0;      // the others were in the journal
  bool stopped = false;
  Diagnostics problems;
};

// Proves the sandbox (core/sandbox.h), then grades every submission whose current version is in no
// journal in options.out. Error: no compiler, a sandbox that leaks, a folder that cannot be
// written, another process grading the same group.
Result<GradeResult> grade(const Class& submissions, const GradeOptions& options);

// The grades in all journals in `out` that match the current submissions, lab and limits by
// fingerprint; `missing` for absent submissions, `no-verdict` for ungraded ones.
Result<GradeResult> gather(const Class& submissions, const GradeOptions& options);

// The reports that every grading writes; grade/formats.h writes them and others.
std::string grades_json(const Class& submissions, const GradeResult& result);
std::string grades_csv(const GradeResult& result);
std::string junit_xml(const GradeResult& result);
std::string html_page(const Class& submissions, const GradeResult& result);

// A file name as UTF-8 that a page, a terminal and XML can show: %XX for all other bytes, and for %
// itself.
std::string shown_name(const std::string& bytes);

}  // namespace warpshop::grade
