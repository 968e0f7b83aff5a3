#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <regex>

#include "cli/main_cli.h"
#include "commands.h"
#include "core/files.h"
#include "core/terminal_text.h"
#include "device/worker_client.h"
#include "lab/findings.h"
#include "lab/spec.h"
#include "terminal.h"

namespace warpshop::cli {
namespace {

Status keep_matching(std::vector<lab::SpecCase>& cases, const std::string& only) {
  if (only.empty()) return success();
  try {
    const std::regex wanted(only);
    std::erase_if(cases,
                  [&](const lab::SpecCase& c) { return !std::regex_search(c.name, wanted); });
  } catch (const std::regex_error& error) {
    return make_error("usage",
                      "--only " + only + ": this is not a regular expression: " + error.what());
  }
  if (cases.empty()) return make_error("usage", "--only " + only + ": no case has such a name");
  return success();
}

// Check the output folders before doing an hour of work for them.
Status check_outputs(const RunOptions& options) {
  std::error_code error;
  if (!options.dump.empty()) {
    std::filesystem::create_directories(options.dump, error);
    if (error || ::access(options.dump.c_str(), W_OK) != 0) {
      return make_error_at({options.dump}, "tool", "cannot write to the dump folder");
    }
  }
  const std::filesystem::path given = std::filesystem::path(options.out).parent_path();
  const std::filesystem::path folder = given.empty() ? std::filesystem::path(".") : given;
  const std::filesystem::path written =
      is_written_in_place(options.out) ? std::filesystem::path(options.out) : folder;
  if (!options.out.empty() && ::access(written.c_str(), W_OK) != 0) {
    return make_error_at({options.out}, "tool",
                         "cannot write the results: the folder is missing or read-only");
  }
  return success();
}

std::string summary(const std::vector<lab::CaseResult>& results) {
  const auto failed = std::count_if(results.begin(), results.end(),
                                    [](const lab::CaseResult& r) { return !r.errors.empty(); });
  const auto found = std::count_if(results.begin(), results.end(), [](const lab::CaseResult& r) {
    return lab::has_faults(r.run.findings);
  });
  double instructions = 0;
  double seconds = 0;
  for (const lab::CaseResult& result : results) {
    instructions += static_cast<double>(result.run.thread_instructions);
    seconds += result.run.seconds;
  }
  char text[200];
  std::snprintf(
      text, sizeof text,
      "%zu cases: %td with an error, %td with findings; %.0f M thread-instructions in %.2f s\n",
      results.size(), failed, found, instructions / 1e6, seconds);
  return text;
}

}  // namespace

bool has_error_finding(const lab::CaseResult& result) {
  const auto& findings = result.run.findings;
  return std::any_of(findings.begin(), findings.end(), [](const emulator::Finding& finding) {
    return finding.severity == Severity::kError;
  });
}

int spec_command(const RunOptions& options) {
  if (!options.file.empty() || !options.kernel.empty()) {
    return fail({make_error(
        "usage", "--spec names its own sources and kernels: omit the file and --kernel")});
  }
  const Result<models::GpuProfile> gpu = gpu_named(options.gpu);
  if (!gpu.ok()) return fail(gpu.errors());
  Result<std::vector<lab::SpecCase>> cases = lab::load_spec(options.spec);
  if (!cases.ok()) return fail(cases.errors());
  const Status kept = keep_matching(*cases, options.only);
  if (!kept.ok()) return fail(kept.errors());
  const Result<WorkerChoice> worker = choose_worker(options.device);
  if (!worker.ok()) return fail(worker.errors());
  if (options.predict && worker.value().required) {
    return fail({make_error("usage", "--predict predicts times, a worker measures them",
                            "leave one of them out")});
  }
  if (options.counters && !worker.value().required) {
    return fail(
        {make_error("usage", "--counters reads a GPU's counters: the emulator always counts",
                    "add --device cuda or --worker")});
  }
  const Status outputs = check_outputs(options);
  if (!outputs.ok()) return fail(outputs.errors());

  const Interrupt interrupt;
  std::vector<lab::CaseResult> results;
  {
    ProgressLine progress("0 of " + std::to_string(cases->size()) + " cases");
    lab::SpecOptions spec_options;
    spec_options.gpu = *gpu;
    spec_options.jobs = options.jobs;
    spec_options.instruction_budget = options.budget;
    spec_options.order_seed = options.seed;
    spec_options.dump_dir = options.dump;
    spec_options.predict = options.predict;
    spec_options.stop = interrupt.flag();
    spec_options.progress = [&](std::string_view, double fraction) {
      const auto done = std::lround(fraction * static_cast<double>(cases->size()));
      progress.say(std::to_string(done) + " of " + std::to_string(cases->size()) + " cases");
    };
    if (worker.value().required) {
      spec_options.counters = options.counters;
      spec_options.time_limit_s = worker.value().time_limit_s;
      Result<std::vector<lab::CaseResult>> measured =
          lab::run_spec_on_gpu(*cases, spec_options, *worker.value().client, worker.value().gpu);
      if (!measured.ok()) return fail(measured.errors());
      results = std::move(*measured);
    } else {
      results = lab::run_spec(*cases, spec_options);
    }
  }
  const std::string text = lab::results_json(results);
  if (options.out.empty()) {
    print(terminal_json(text));
  } else {
    const Status written = write_file_atomically(options.out, text);
    if (!written.ok()) {
      print_error(render(written.errors()) + "\n");
      return kToolFailed;
    }
    print_error(summary(results));
  }
  if (interrupt.requested()) return kInterrupted;
  const bool any_bad = std::any_of(results.begin(), results.end(), [](const lab::CaseResult& r) {
    return !r.errors.empty() || has_error_finding(r);
  });
  return any_bad ? kCheckFailed : kAllPassed;
}

}  // namespace warpshop::cli
