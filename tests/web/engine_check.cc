// The engine without a window or a command line, for the same work on this machine and in
// WebAssembly: engine_test.py compares what both say, bit for bit.
//
//   engine_check spec CASES.json OUT.json [--predict] [--dump DIR] [--jobs N] [--only TEXT]
//   engine_check labs OUT.json [LAB]...      every exercise: its start and its worked solution
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/files.h"
#include "lab/lab.h"
#include "lab/runner.h"
#include "lab/spec.h"
#include "run_json.h"

namespace warpshop {
namespace {

Result<models::GpuProfile> gpu_profile() {
  return models::load_gpu_profile(data_dir() / "assets" / "gpus" / "h200.toml");
}

int fail(const Diagnostics& errors) {
  std::fprintf(stderr, "%s\n", render(errors).c_str());
  return 2;
}

int write(const std::string& file, const std::string& text) {
  const Status written = write_file_atomically(file, text);
  return written.ok() ? 0 : fail(written.errors());
}

struct Words {
  std::vector<std::string> plain;
  std::string dump, only;
  int jobs = 0;
  bool predict = false;
};
Words read_words(int argc, char** argv) {
  Words out;
  for (int n = 1; n < argc; ++n) {
    const std::string_view word = argv[n];
    const std::string next = n + 1 < argc ? argv[n + 1] : "";
    if (word == "--predict") {
      out.predict = true;
    } else if (word == "--dump") {
      out.dump = next;
    } else if (word == "--only") {
      out.only = next;
    } else if (word == "--jobs") {
      out.jobs = std::atoi(next.c_str());
    } else {
      out.plain.emplace_back(word);
    }
    if (word == "--dump" || word == "--only" || word == "--jobs") ++n;
  }
  return out;
}

int spec(const Words& words, const models::GpuProfile& gpu) {
  if (words.plain.size() != 3) return 2;
  Result<std::vector<lab::SpecCase>> cases = lab::load_spec(words.plain[1]);
  if (!cases.ok()) return fail(cases.errors());
  std::erase_if(
      *cases, [&](const lab::SpecCase& c) { return c.name.find(words.only) == std::string::npos; });
  lab::SpecOptions options;
  options.gpu = gpu;
  options.jobs = words.jobs;
  options.dump_dir = words.dump;
  options.predict = words.predict;
  return write(words.plain[2], lab::results_json(lab::run_spec(*cases, options)));
}

int labs(const Words& words, const models::GpuProfile& gpu) {
  if (words.plain.size() < 2) return 2;
  Result<lab::Runner> runner = lab::Runner::create();
  if (!runner.ok()) return fail(runner.errors());
  const lab::LabLibrary found = lab::load_labs(data_dir());
  cli::Json out = cli::Json::array();
  for (const lab::Lab& one : found.labs) {
    const auto named = std::find(words.plain.begin() + 2, words.plain.end(), one.id);
    if (words.plain.size() > 2 && named == words.plain.end()) continue;
    for (const lab::Step& step : one.steps) {
      if (!step.exercise) continue;
      for (const bool solved : {false, true}) {
        lab::RunRequest request;
        request.lab = &one;
        request.step = &step;
        request.source = solved ? step.exercise->solution : step.exercise->skeleton;
        request.file_name = step.id + ".cu";
        request.gpu = gpu;
        request.predict = true;
        request.memory_timeline = true;
        out.push_back({{"lab", one.id},
                       {"step", step.id},
                       {"solved", solved},
                       {"result", cli::json_of(runner->run(request))}});
      }
    }
  }
  return write(words.plain[1], cli::dumped(out));
}

int run(const Words& words) {
  const Result<models::GpuProfile> gpu = gpu_profile();
  if (!gpu.ok()) return fail(gpu.errors());
  const std::string verb = words.plain.empty() ? "" : words.plain[0];
  return verb == "spec" ? spec(words, *gpu) : verb == "labs" ? labs(words, *gpu) : 2;
}

}  // namespace
}  // namespace warpshop

int main(int argc, char** argv) { return warpshop::run(warpshop::read_words(argc, argv)); }
