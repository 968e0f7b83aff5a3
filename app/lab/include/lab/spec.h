// `run --spec`: runs a list of cases, each a kernel with its launch and buffers, without a lab.
// docs/cli.md describes the format of cases and results.
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
#include "emulator/tensor_map.h"
#include "lab/fills.h"
#include "lab/run_result.h"
#include "lab/texture_arg.h"
#include "models/gpu_profile.h"

namespace warpshop::lab {

struct SpecArg {
  bool is_buffer = false;
  uint64_t size_bytes = 0;  // buffers
  Fill fill;                // buffers
  // For buffers passed as a texture or surface object.
  std::optional<TextureArg> texture = {};
  ElementType type = ElementType::kF32;  // of the texels
  TextureExtent extent = {};
  // For buffers passed as a tensor map; its base is set when the buffer is placed.
  std::optional<emulator::TensorMap> tensor = {};
  emulator::Argument scalar;     // everything else
  uint32_t alignment_bytes = 8;  // as a field of a struct
  // The fields of a struct passed by value, laid out as in C++; may include pointers to buffers.
  std::vector<SpecArg> fields = {};
  std::string name = {};  // the kernel's parameter; empty: unknown
  // What findings call a buffer: its parameter, or "buffer 0".
  std::string buffer_name(size_t index) const {
    return name.empty() ? "buffer " + std::to_string(index) : name;
  }
};

// A struct's bytes and alignment from its fields: each field at the next multiple of its own
// alignment, the size a multiple of the largest. Itanium C++ ABI, "POD Data Types".
std::vector<uint8_t> struct_bytes(const std::vector<std::vector<uint8_t>>& fields,
                                  const std::vector<SpecArg>& of);
uint32_t struct_alignment(const std::vector<SpecArg>& fields);

struct SpecCase {
  std::string name;
  std::filesystem::path source;      // .cu is compiled, .ptx loaded as is
  std::vector<std::string> options;  // further compiler options
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;                 // emulator::LaunchConfig::cooperative
  Dim3 cluster{0, 0, 0};                    // likewise
  bool large_clusters = false;              // likewise
  std::optional<uint64_t> buffers_start{};  // timing::PredictionInput::buffers_start
  std::vector<SpecArg> args;
  bool prelude = false;          // Launch, assert and printf without an include
  std::filesystem::path folder;  // base folder for file= fills
  SourcePlace place;             // in the spec
};

// Ignores unknown keys (truth data carries "exact", "flop", …). Error: every mistake, with file,
// line and what was expected; a truncated file.
Result<std::vector<SpecCase>> load_spec(const std::filesystem::path& file);

struct CaseResult {
  std::string name;
  std::vector<compile::LeftOut> left_out;  // the source's host code
  Diagnostics warnings;                    // of the compiler, about what changes results
  Diagnostics errors;                      // why the result is missing or incomplete
  bool ran = false;                        // `run` and `buffers` are valid
  bool has_resources = false;              // registers and occupancy are known (not for .ptx)
  KernelRun run;
  std::vector<std::string> buffers;               // FNV-1a of each, in argument order
  std::vector<std::vector<uint8_t>> bytes;        // of each, with SpecOptions::keep_buffers
  std::optional<device::Timing> measured;         // on a GPU, with SpecOptions::measure
  std::optional<device::CounterReading> counted;  // by the GPU, with SpecOptions::counters
  bool on_gpu = false;  // buffers and figures come from a GPU; run.counters is empty
};

struct SpecOptions {
  models::GpuProfile gpu;
  int jobs = 0;                                  // cases at a time; 0: every core
  uint64_t instruction_budget = 20'000'000'000;  // per case
  uint64_t order_seed = 0;                       // emulator::LaunchOptions::order_seed
  std::vector<uint64_t> record_blocks;  // blocks whose accesses are kept in CaseResult::run
  std::filesystem::path dump_dir;       // receives NAME.INDEX.bin for each buffer; empty: no dump
  bool keep_buffers = false;            // fill CaseResult::bytes
  bool measure = true;                  // run_spec_on_gpu: time each case
  bool counters = false;                // run_spec_on_gpu: read the GPU's own counters of each case
  double time_limit_s = 30;             // run_spec_on_gpu: per case
  // Only predict times: emulates a sample of the grid, so there are no counters or buffers.
  bool predict = false;
  const StopFlag* stop = nullptr;
  ProgressFunction progress;  // one call at a time, from any thread
};

// One result per case, in order. A failing case does not stop the others. Each source is compiled
// once per set of options, while other cases run.
std::vector<CaseResult> run_spec(const std::vector<SpecCase>& cases, const SpecOptions& options);

// The same on a GPU of the worker (-1: the first usable one), one case after the other; buffers,
// registers, times and counters come from that GPU. Error: no case can run because the worker
// cannot be started or has no such GPU.
Result<std::vector<CaseResult>> run_spec_on_gpu(const std::vector<SpecCase>& cases,
                                                const SpecOptions& options,
                                                device::WorkerClient& worker, int gpu = -1);

// The results file: a JSON list, one case per line.
std::string results_json(const std::vector<CaseResult>& results);

}  // namespace warpshop::lab
