// A folder of submissions, graded: one student a folder, files named as the exercises. Each
// submission is compiled and run in a process of its own that is locked in (core/sandbox.h), so
// whatever it does, it fails its own exercise and nothing else. docs/grading.md.
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
  kFailed,    // a check does not hold
  kRefused,   // not a text that can be judged: a link, too large, not text
  kBroken,    // it does not compile, or its launch is refused
  kLimit,     // it took more time, memory or output than it may, or crashes the compiler
  kMissing,   // nothing was handed in
  kNoVerdict  // not the student's fault: the lab, the GPU, the sandbox or this machine did not do its part
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
  std::string fingerprint;  // of all that decides the grade: another one means grading again
  Verdict verdict = Verdict::kMissing;
  std::string reason;  // one sentence; empty when passed
  std::vector<CheckLine> checks;
  std::vector<std::string> messages;  // compiler's errors, findings
  std::optional<MeasuredTimes> measured;
  double seconds = 0;     // from its process's start to its end
  int64_t graded_at = 0;  // seconds since 1970, UTC
  std::string sandbox;    // what its process was held by; empty: it had none

  std::string exercise() const { return lab + "/" + step; }
};

// One student's file for one exercise. Paths are those below Class::root.
struct Submission {
  std::string student;           // the folder's name in UTF-8: %XX for bytes that are none
  std::filesystem::path folder;  // the student's
  const lab::Lab* lab = nullptr;
  const lab::Step* step = nullptr;
  std::filesystem::path file;  // empty: missing
  std::string unreadable;      // why nobody knows whether it is there; empty: it is known
  std::string left_alone;      // names in the student's folder that are no exercise's; empty: none
};

struct Class {
  std::shared_ptr<const Descriptor> root;  // the folder of submissions, held open
  std::vector<std::string> students;       // sorted
  std::vector<Submission> submissions;     // by exercise, then student
  std::vector<std::pair<const lab::Lab*, const lab::Step*>> exercises;
  Diagnostics ignored;  // notes: links and files that are no exercise; errors: what cannot be read
};

// `wanted`: LAB or LAB/STEP; empty: every exercise for which somebody handed in a file. A file is
// LAB/STEP.cu, LAB-STEP.cu, or STEP.cu when only one lab has such a step; capital letters count.
// Error: no such folder or exercise.
Result<Class> find_submissions(const std::filesystem::path& folder,
                               const std::vector<lab::Lab>& labs,
                               const std::vector<std::string>& wanted);

struct GradeOptions {
  std::filesystem::path out;  // gets grades.jsonl, and in the end the reports
  uint64_t inputs = 0;        // the seed of the labs' inputs (lab::with_inputs), for the reports; the labs have them already
  models::GpuProfile gpu;
  int jobs = 0;                               // submissions at a time; 0: one a core
  double time_limit_s = 60;                   // of each: processor time
  double wall_limit_s = 0;                    // of each, waiting included; 0: four times as much
  uint64_t memory_bytes = uint64_t{2} << 30;  // of each
  uint64_t file_limit_bytes = uint64_t{1} << 20;
  uint64_t instruction_budget = 500'000'000;
  device::WorkerClient* worker = nullptr;  // measures those that passed
  bool gpu_wanted = false;  // without `worker`: other processes that grade this class have one
  int worker_gpu = -1;
  double worker_time_limit_s = 10;  // of each size, compiling not counted
  int group = 0;  // of `groups`: students whose number modulo groups
  int groups = 1;
  const StopFlag* stop = nullptr;
  std::function<void(size_t done, size_t all)> progress;

  bool on_gpu() const { return worker != nullptr || gpu_wanted; }
};

// The seed of a grading's inputs: `wanted`, else the one that `out` holds, else a new one from the system's random numbers, so
// that no student can know or choose it. It is kept in out/inputs-seed, readable by its owner alone, so that the same command
// goes on with the same inputs. Error: the file cannot be read or written, or holds no seed.
Result<uint64_t> inputs_seed(const std::filesystem::path& out, std::optional<uint64_t> wanted);

struct GradeResult {
  std::vector<Grade> grades;  // of every student and exercise, missing ones too
  std::string sandbox;        // what held the submissions' processes, in words
  uint64_t inputs = 0;        // GradeOptions::inputs
  size_t graded_now = 0;  // the rest was in the journal
  bool stopped = false;
  Diagnostics problems;
};

// Grades what no journal in options.out holds as it is handed in now, after the sandbox was proved
// (core/sandbox.h). Error: no compiler, a sandbox that does not hold, a folder that cannot be
// written, another process that grades the same group.
Result<GradeResult> grade(const Class& submissions, const GradeOptions& options);

// The grades of all journals in `out` that are of what is handed in now, of this lab and under these
// limits: the fingerprint decides. `missing` of those not there, `no-verdict` of those not graded.
Result<GradeResult> gather(const Class& submissions, const GradeOptions& options);

// grades.json, grades.csv, grades.junit.xml, index.html in `out`.
Status write_reports(const std::filesystem::path& out, const Class& submissions,
                     const GradeResult& result);

std::string grades_json(const Class& submissions, const GradeResult& result);
std::string grades_csv(const GradeResult& result);
std::string junit_xml(const GradeResult& result);
std::string html_page(const Class& submissions, const GradeResult& result);

// Bytes of a file's name as UTF-8 that a page, a terminal and XML can show: %XX for the rest, and
// for % itself.
std::string shown_name(const std::string& bytes);

}  // namespace warpshop::grade
