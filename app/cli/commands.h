// One options struct and one function per verb. The function prints its output and returns the exit
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
#include "serve/serve.h"
#include "worker_choice.h"

namespace CLI {
class App;
}

namespace warpshop::cli {

struct LabsOptions {
  bool json = false;
  bool names = false;    // list the names that checks may use
  std::string skeleton;  // LAB/STEP whose skeleton to print
  std::string prove;     // LAB to prove
  bool create = false;   // labs new
  std::string new_id;    // id of the new lab
  std::string new_title;
  std::string new_dir;  // its parent folder; empty: the user's folder of labs
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
  uint64_t inputs = 0;  // seed for lab::with_inputs
  bool predict = false;
  std::string profile;  // CSV of Nsight Compute to compare with; empty: none
  bool json = false;
  std::string html;  // file for a piece of HTML; empty: none
};
int check_command(const CheckOptions& options);

// Checks the student's files at each save, until the lab is passed.
struct WatchOptions {
  std::string place;  // LAB or LAB/STEP
  std::string file;   // one exercise in this file
  std::string dir;    // receives LAB/STEP.cu; empty: the student's own files
  std::string gpu = "h200";
  uint64_t budget = 500'000'000;
  bool step_named = false;  // start with it even if it is passed
};
int watch_command(const WatchOptions& options);

// Which text: a file, the worked solution, the skeleton; default: the student's own.
struct TextChoice {
  std::string place;  // LAB or LAB/STEP
  std::string file;   // "-" is standard input
  bool solution = false;
  bool start = false;
};

struct ReportOptions {
  TextChoice text;
  std::string out;  // "-" is standard output; empty: LAB-report.html
  std::string gpu = "h200";
  std::string author;
  bool lecture = false;  // the script's handout instead of the steps
  bool notes = false;    // with the speaker's notes
};
int report_command(const ReportOptions& options);

struct RunOptions {
  std::string file;
  std::string kernel;
  std::string grid = "1";
  std::string block = "1";
  uint64_t shared = 0;
  bool cooperative = false;
  std::string cluster;  // empty: as the kernel says
  bool large_clusters = false;
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
  std::string profile;  // CSV of Nsight Compute to compare with; empty: none
  bool list = false;    // only list the file's kernels
  bool json = false;
  std::string html;  // file for a piece of HTML; empty: none
};
// Warnings alone do not make a kernel faulty.
bool has_error_finding(const lab::CaseResult& result);
int run_command(const RunOptions& options);  // a kernel or, if given, a spec
int spec_command(const RunOptions& options);

struct GpusOptions {
  std::vector<std::string> ids;  // empty: all, one line each; else these, number by number
  bool json = false;
  std::string write;  // where to write a profile of the worker's GPU
  DeviceOptions device;
};
int gpus_command(const GpusOptions& options);
int doctor_command(bool has_window);

struct GradeCommandOptions {
  std::string folder;
  std::string out;                     // empty: FOLDER-grades
  std::vector<std::string> exercises;  // LAB or LAB/STEP; empty: those handed in
  std::string gpu = "h200";
  DeviceOptions device;
  int jobs = 0;
  double limit_s = 60;
  uint64_t limit_mib = 2048;
  uint64_t budget = 500'000'000;
  std::optional<uint64_t> inputs;  // seed for lab::with_inputs; none: the results folder's
  std::string group;               // "K/N"
  bool use_slurm = false;
  std::string slurm;                 // additional sbatch options
  int groups = 0;                    // tasks in the array; 0: one per student, up to 64
  bool one = false;                  // the folder is one student's submission
  std::vector<std::string> formats;  // NAME or NAME=FILE, besides what is always written
  std::vector<std::string> points;   // LAB[/STEP]=N or LAB/STEP=CHECK:N,…
  std::string id_column;             // of the gradebooks; empty: each platform's usual one
  std::string columns = "exercise";  // of the gradebooks: one per exercise or per lab
};
int grade_command(const GradeCommandOptions& options);

// Exports the student's work on this machine to a file, or imports it.
struct ProgressOptions {
  std::string file;
  bool import_file = false;
};
int progress_command(const ProgressOptions& options);

// Writes the student's work as files for a teacher: docs/grading.md.
struct HandInOptions {
  std::string place;
  std::string lab;  // empty: all of them
};
int hand_in_command(const HandInOptions& options);

// Serves the lab to browsers: docs/serving.md.
struct ServeCommandOptions {
  serve::ServeOptions serve;
  uint64_t memory_mib = 2048;
  uint64_t data_mib = 0;
};
void add_serve(CLI::App& app, ServeCommandOptions& options);
int serve_command(const ServeCommandOptions& options);

// Shared by the verbs.

// Prints diagnostics to standard error and returns the status of the most severe: an input error
// unless the compiler is missing or a folder cannot be used.
int fail(const Diagnostics& diagnostics);
// This machine failed, or its GPU: not the input.
bool is_tools_fault(const Diagnostic& problem);

// The profile, or a diagnostic listing the known ones.
Result<models::GpuProfile> gpu_named(const std::string& id);

// Error: no such lab (lists the existing ones), or a broken lab (lists every mistake).
Result<lab::Lab> lab_named(const std::string& id);

// Writes a result to a file of the user's choice. Error: prints why and returns kToolFailed, else
// kAllPassed.
int write_result(const std::string& file, const std::string& content);

// Splits "coalescing/stride"; the step is empty if only a lab is named.
struct LabPlace {
  std::string lab;
  std::string step;
};
LabPlace split_place(const std::string& text);
// Error: lists the lab's steps.
Result<const lab::Step*> step_named(const lab::Lab& lab, const std::string& id);

}  // namespace warpshop::cli
