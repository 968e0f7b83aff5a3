// One struct of options and one function for each verb. A function prints and returns an exit
// status.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostic.h"
#include "core/result.h"
#include "lab/lab.h"
#include "lab/spec.h"
#include "models/gpu_profile.h"
#include "worker_choice.h"

namespace warpshop::cli {

struct LabsOptions {
  bool json = false;
  bool names = false;    // the names that checks may use
  std::string skeleton;  // LAB/STEP whose skeleton is printed
  std::string prove;     // LAB that is proved
  bool create = false;   // labs new
  std::string new_id;    // ID of the lab that is started
  std::string new_title;
  std::string new_dir;   // where; empty: the user's folder of labs
  std::string gpu = "h200";
};
int labs_command(const LabsOptions& options);

struct CheckOptions {
  std::string place;  // LAB or LAB/STEP
  std::string file;   // "-" is standard input
  bool solution = false;
  bool start = false;
  std::string gpu = "h200";
  DeviceOptions device;
  uint64_t budget = 500'000'000;
  uint64_t seed = 0;
  uint64_t inputs = 0;  // seed of lab::with_inputs
  bool predict = false;
  bool json = false;
};
int check_command(const CheckOptions& options);

// Of which text: a file, the worked solution, the skeleton; none of them: the student's own.
struct TextChoice {
  std::string place;  // LAB or LAB/STEP
  std::string file;   // "-" is standard input
  bool solution = false;
  bool start = false;
};

struct ReportOptions {
  TextChoice text;
  std::string out;     // "-" is standard output; empty: LAB-report.html
  std::string gpu = "h200";
  std::string author;
};
int report_command(const ReportOptions& options);

struct RunOptions {
  std::string file;
  std::string kernel;
  std::string grid = "1";
  std::string block = "1";
  uint64_t shared = 0;
  bool cooperative = false;
  std::vector<std::string> args;
  std::vector<std::string> compiler_options;
  std::string spec;
  std::string only;
  int jobs = 0;
  std::string dump;
  std::string out;
  std::string gpu = "h200";
  DeviceOptions device;
  uint64_t budget = 20'000'000'000;
  uint64_t seed = 0;
  bool predict = false;
  bool counters = false;
  bool json = false;
};
// A warning alone makes no kernel faulty.
bool has_error_finding(const lab::CaseResult& result);
int run_command(const RunOptions& options);  // a kernel, or a spec when one is given
int spec_command(const RunOptions& options);

struct GpusOptions {
  std::vector<std::string> ids;  // empty: all of them, a line each; else these, number by number
  bool json = false;
  std::string write;  // a profile of the worker's GPU is written there
  DeviceOptions device;
};
int gpus_command(const GpusOptions& options);
int doctor_command();

struct GradeCommandOptions {
  std::string folder;
  std::string out;                     // empty: FOLDER-grades
  std::vector<std::string> exercises;  // LAB or LAB/STEP; empty: those that were handed in
  std::string gpu = "h200";
  DeviceOptions device;
  int jobs = 0;
  double limit_s = 60;
  uint64_t limit_mib = 2048;
  uint64_t budget = 500'000'000;
  std::optional<uint64_t> inputs;  // seed of lab::with_inputs; none: that of the results' folder
  std::string group;  // "K/N"
  bool use_slurm = false;
  std::string slurm;  // further options of sbatch
  int groups = 0;     // tasks of the array; 0: one a student, 64 at most
};
int grade_command(const GradeCommandOptions& options);

// The student's work of this machine as one file, and back.
struct ProgressOptions {
  std::string file;
  bool import_file = false;
};
int progress_command(const ProgressOptions& options);

// The student's work as files for a teacher: docs/grading.md.
struct HandInOptions {
  std::string folder;
  std::string lab;  // empty: all of them
};
int hand_in_command(const HandInOptions& options);

// What the verbs share.

// Prints diagnostics to standard error and returns the status of the worst: an input error, unless
// the compiler is missing or a folder cannot be used.
int fail(const Diagnostics& diagnostics);

// The profile, or the diagnostic that lists those there are.
Result<models::GpuProfile> gpu_named(const std::string& id);

// Error: there is no such lab (those there are), or it is broken (every mistake).
Result<lab::Lab> lab_named(const std::string& id);

// "coalescing/stride" → its parts; the step is empty when only a lab is named.
struct LabPlace {
  std::string lab;
  std::string step;
};
LabPlace split_place(const std::string& text);
// Error: lists the lab's steps.
Result<const lab::Step*> step_named(const lab::Lab& lab, const std::string& id);

}  // namespace warpshop::cli
