// `run --spec`: kernels, launches and buffers given as a list of cases, without a lab around them.
// docs/cli.md gives the format of cases and results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/device_source.h"
#include "core/result.h"
#include "core/stop.h"
#include "device/worker_client.h"
#include "emulator/launch.h"
#include "lab/fills.h"
#include "lab/run_result.h"
#include "lab/texture_arg.h"
#include "models/gpu_profile.h"

namespace warpshop::lab {

struct SpecArg {
  bool is_buffer = false;
  uint64_t size_bytes = 0;  // buffers
  Fill fill;                // buffers
  // Buffers that the kernel gets as a texture or surface object.
  std::optional<TextureArg> texture = {};
  ElementType type = ElementType::kF32;  // of a texel
  TextureExtent extent = {};
  emulator::Argument scalar;  // the rest
  uint32_t alignment_bytes = 8;  // as a field of a struct
  // Of a struct that is passed by value: they stand as C++ lays them out, pointers to buffers among them.
  std::vector<SpecArg> fields = {};
};

// A struct's bytes, and its alignment, from its fields' bytes: each at the next multiple of its own alignment, the
// whole a multiple of the largest. Itanium C++ ABI, "POD Data Types".
std::vector<uint8_t> struct_bytes(const std::vector<std::vector<uint8_t>>& fields, const std::vector<SpecArg>& of);
uint32_t struct_alignment(const std::vector<SpecArg>& fields);

struct SpecCase {
  std::string name;
  std::filesystem::path source;      // .cu is compiled, .ptx is loaded as it is
  std::vector<std::string> options;  // further compiler options
  std::string kernel;
  emulator::Dim3 grid;
  emulator::Dim3 block;
  uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;      // emulator::LaunchConfig::cooperative
  std::vector<SpecArg> args;
  bool prelude = false;          // Launch, assert and printf without an include
  std::filesystem::path folder;  // that file= fills are taken from
  SourcePlace place;             // in the spec
};

// Keys that are not the runner's (truth data carries "exact", "flop", …) are left alone. Error:
// every mistake with file, line and what was expected; a truncated file.
Result<std::vector<SpecCase>> load_spec(const std::filesystem::path& file);

struct CaseResult {
  std::string name;
  std::vector<compile::LeftOut> left_out;  // host code of the source
  Diagnostics errors;          // why there is no result, or why it is incomplete
  bool ran = false;            // `run` and `buffers` are there
  bool has_resources = false;  // registers and occupancy are known (not for .ptx)
  KernelRun run;
  std::vector<std::string> buffers;         // FNV-1a of each, in the order of the arguments
  std::vector<std::vector<uint8_t>> bytes;  // of each, with SpecOptions::keep_buffers
  std::optional<device::Timing> measured;   // on a GPU, with SpecOptions::measure
  std::optional<device::CounterReading> counted;  // the GPU's own, with SpecOptions::counters
  bool on_gpu = false;                      // buffers and figures are a GPU's; run.counters are empty
};

struct SpecOptions {
  models::GpuProfile gpu;
  int jobs = 0;                                  // cases at a time; 0: every core
  uint64_t instruction_budget = 20'000'000'000;  // of each case
  uint64_t order_seed = 0;                       // emulator::LaunchOptions::order_seed
  std::vector<uint64_t> record_blocks;           // whose accesses are kept in CaseResult::run
  std::filesystem::path dump_dir;  // gets NAME.INDEX.bin of each buffer; empty: no dump
  bool keep_buffers = false;       // fill CaseResult::bytes
  bool measure = true;             // run_spec_on_gpu: time each case
  bool counters = false;           // run_spec_on_gpu: read the GPU's own counters of each case
  double time_limit_s = 30;        // run_spec_on_gpu: of each case
  // Only predict times: of the grid a sample is emulated, so there are no counters and no buffers.
  bool predict = false;
  const StopFlag* stop = nullptr;
  ProgressFunction progress;  // one call at a time, from any worker
};

// One result for each case, in their order. A case that fails says so and stops no other. Each
// source is compiled once for each set of options, while other cases run.
std::vector<CaseResult> run_spec(const std::vector<SpecCase>& cases, const SpecOptions& options);

// The same on a GPU of the worker (-1: the first that can be used), one case after the other:
// buffers, registers, times and counters are that GPU's. Error: no case can run, since the worker
// cannot be started or has no such GPU.
Result<std::vector<CaseResult>> run_spec_on_gpu(const std::vector<SpecCase>& cases,
                                                const SpecOptions& options,
                                                device::WorkerClient& worker, int gpu = -1);

// The results file: a JSON list, a case a line.
std::string results_json(const std::vector<CaseResult>& results);

}  // namespace warpshop::lab
