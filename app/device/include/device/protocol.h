// What the lab and a GPU worker say to each other: JSON lines on the worker's standard streams.
// docs/worker-protocol.md describes every message; docs/worker-protocol.schema.json is its schema.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/element_type.h"
#include "core/fill.h"
#include "core/result.h"

namespace warpshop::device {

// Raised when a message changes so that an older side would misread it.
inline constexpr int kProtocolVersion = 2;  // 2: textures, counters

// One GPU as the driver describes it.
struct GpuInfo {
  int index = 0;
  std::string name;  // "NVIDIA H200"
  int capability_major = 0;
  int capability_minor = 0;
  std::string pci;  // "0000:1b:00.0"
  uint64_t memory_bytes = 0;
  int sm_count = 0;
  uint64_t l2_bytes = 0;
  int clock_mhz = 0;         // the highest of the SMs
  int memory_clock_mhz = 0;  // the highest
  int bus_width_bits = 0;
  bool ecc = false;
  Diagnostics problems;  // an error: it cannot be used, and why

  bool usable() const { return !has_errors(problems); }
  // What the pins can move: two transfers a memory clock.
  double peak_gb_s() const { return 2e-3 * memory_clock_mhz * bus_width_bits / 8; }
};

// A worker's first line.
struct Hello {
  int protocol = 0;
  std::string version;  // of the program
  std::string host;
  std::string driver;  // CUDA version of the driver, "13.0"; empty: there is none
  std::string driver_version;  // the driver's own, "580.159.04"; empty: not known
  std::string nvrtc;   // "13.0"; empty: there is none
  std::vector<GpuInfo> gpus;
  Diagnostics problems;  // of the whole machine: no driver, a driver too old, no NVRTC

  const GpuInfo* find_gpu(int index) const;
  // The first that can be used; nullptr when there is none.
  const GpuInfo* first_usable() const;
};

struct Dim {
  uint32_t x = 1;
  uint32_t y = 1;
  uint32_t z = 1;
  bool operator==(const Dim&) const = default;
};

// A kernel's text and its launch.
struct KernelSource {
  std::string source;
  std::string file_name;
  std::string entry;                      // its name in the PTX
  std::vector<std::string> options;       // of the compiler
  std::vector<std::string> include_dirs;  // on the worker's machine; for sources that lie there
  std::string trailer;                    // see compile::CompileInput
  bool prelude = true;
  bool is_ptx = false;  // PTX text: loaded as it is
  bool whole_program = false;  // see compile::CompileInput
  Dim grid;
  Dim block;
  uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;  // all blocks at the same time
};

// CUaddress_mode's order: outside of 0 … size repeat, the texel at the edge, every other copy
// mirrored, the border's colour.
enum class TextureAddress : uint8_t { kWrap, kClamp, kMirror, kBorder };

// A buffer that the kernel gets as a texture or surface object. Its texels are JobArg::type, rows
// without gaps, as in the buffer's bytes.
struct JobTexture {
  bool surface = false;
  bool plain = false;   // over a plain buffer, for tex1Dfetch; else over an array
  int channels = 1;     // elements of a texel: 1, 2, 4
  uint64_t width = 1;   // texels
  uint64_t height = 0;  // 0: one-dimensional
  std::array<TextureAddress, 2> address{TextureAddress::kClamp, TextureAddress::kClamp};  // x, y
  bool linear_filter = false;
  bool normalized_read = false;  // 8- and 16-bit integers come as 0 … 1
  bool normalized_coordinates = false;
  std::array<float, 4> border{};

  uint64_t size_bytes(ElementType type) const {
    return width * (height == 0 ? 1 : height) * static_cast<uint64_t>(channels) *
           static_cast<uint64_t>(warpshop::size_bytes(type));
  }
};

// An argument: a buffer, or the bytes of a scalar.
struct JobArg {
  bool is_buffer = false;
  std::string name;
  uint64_t size_bytes = 0;
  ElementType type = ElementType::kU8;  // of the comparison, and of texels
  Fill fill;
  std::string file_bytes;  // of Fill kFile
  bool output = false;
  std::optional<JobTexture> texture;  // of a buffer
  std::vector<uint8_t> scalar;
};

// What is to be done with one kernel, or with a student's and its reference.
struct Job {
  int gpu = 0;
  KernelSource student;
  std::optional<KernelSource> reference;  // none: nothing is compared
  std::vector<JobArg> args;               // of both kernels
  double tolerance = 0;                   // relative; see compare below
  bool hashes = false;                    // FNV-1a of every buffer
  bool bytes = false;                     // every buffer's bytes
  bool time = false;
  bool counters = false;     // of the student's kernel, by the GPU's own counters
  bool describe = false;     // nothing runs: the GPU itself is described and measured
  int launches = 21;         // timed ones, of each kernel
  double time_limit_s = 10;  // for the whole job after compiling
};

// Element-wise comparison of an output with the reference's, made on the GPU by the lab's rule: an
// element is wrong when its bits differ (any NaN equals any other), or, with a tolerance, when it
// is further off than tolerance times the larger of its magnitude and the buffer's mean magnitude;
// and when the reference wrote it but the student did not.
struct OutputComparison {
  std::string buffer;
  ElementType type = ElementType::kU8;
  uint64_t count = 0;
  uint64_t wrong = 0;
  double max_abs_error = 0;
  uint64_t first_index = 0;  // the rest is only there when wrong > 0
  std::vector<uint8_t> first_expected;
  std::vector<uint8_t> first_got;
  bool first_written = true;
  std::vector<uint8_t> wrong_bits;  // bit i: element i is wrong
};

// A store outside a buffer that hit the guard zone beside it.
struct GuardHit {
  std::string buffer;
  int64_t offset_bytes = 0;  // from the buffer's begin: negative is before it
  uint64_t bytes = 0;        // that were changed
};

// Launches of one kernel, timed by events. Cold: the L2 is swept before each and the inputs are
// new. Warm: the same launch again and again.
struct KernelTiming {
  double median_us = 0;  // cold
  double min_us = 0;
  double spread_us = 0;  // between the quartiles
  double warm_median_us = 0;
  int launches = 0;
  int outliers = 0;                // further than 5 scaled median deviations from the median
  std::vector<double> samples_us;  // cold, in their order
};

struct KernelFigures {
  int registers = 0;
  uint32_t static_shared_bytes = 0;
  uint32_t local_bytes = 0;
  int max_threads_per_block = 0;
  int blocks_per_sm = 0;
};

struct Timing {
  KernelTiming student;
  std::optional<KernelTiming> reference;
  uint64_t wrong_when_timed =
      0;  // elements of the timed launches' outputs; the inputs differ each time
  bool inputs_changed = false;  // false: no input has a fill that can be changed
  double empty_launch_us = 0;   // the same measurement of a kernel that does nothing
  int clock_mhz = 0;            // while measuring; 0: not known
  int memory_clock_mhz = 0;
  int temperature_c = 0;
  std::vector<std::string> throttled;  // reasons, "power cap"; empty: none
  double copy_ceiling_gb_s = 0;        // the best copy of this GPU, bytes read and written
};

// A counter of the GPU over one launch.
struct CounterValue {
  std::string name;    // "global_load_sectors": timing/counters.h's, where the emulator counts it
  std::string unit;    // "sector"
  std::string metric;  // Nsight Compute's, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
  double value = 0;
};

struct CounterReading {
  std::vector<CounterValue> values;
  Diagnostics problems;  // notes: why there are none, and what helps

  const CounterValue* find(std::string_view name) const;
};

// What a profile of the GPU needs to know (assets/gpus). Latencies are those of one load after the
// other, in cycles of the SM's clock.
struct GpuDescription {
  // The driver's: cuDeviceGetAttribute.
  int max_threads_per_sm = 0;
  int max_blocks_per_sm = 0;
  int max_threads_per_block = 0;
  int registers_per_sm = 0;
  int registers_per_block = 0;
  uint32_t shared_bytes_per_sm = 0;
  uint32_t shared_bytes_per_block = 0;
  uint32_t shared_bytes_per_block_optin = 0;
  uint32_t shared_reserved_bytes = 0;  // of each block
  // Measured; 0: it could not be.
  double copy_gb_s = 0;  // the best copy, bytes read and written
  double read_gb_s = 0;  // the best dense read
  double launch_us = 0;  // an empty kernel, by events
  double shared_latency_cycles = 0;
  double l1_latency_cycles = 0;
  double l2_latency_cycles = 0;
  double dram_latency_cycles = 0;
  int clock_mhz = 0;  // while measuring
  std::vector<std::string> throttled;
};

struct JobResult {
  KernelFigures student;
  std::optional<KernelFigures> reference;
  std::vector<OutputComparison> outputs;
  std::vector<GuardHit> guards;
  std::vector<std::string> hashes;
  std::vector<std::vector<uint8_t>> bytes;
  std::optional<Timing> timing;
  std::optional<CounterReading> counters;
  std::optional<GpuDescription> description;
  std::string printed;  // by the student's kernel
  Diagnostics warnings;
  double seconds = 0;

  bool correct() const;
};

// --- lines
// ------------------------------------------------------------------------------------------ Each
// ends with a newline. The readers accept keys they don't know and refuse everything else that is
// not as the schema has it: a worker may be another version, or not a worker at all.

std::string line_of(const Hello& hello);
std::string line_of(uint64_t id, const Job& job);
std::string line_of(uint64_t id, const JobResult& result);
std::string stage_line(uint64_t id, std::string_view stage);
// `fatal`: the worker ends after this line.
std::string error_line(uint64_t id, const Diagnostics& errors, bool fatal);
std::string quit_line();

struct Message {
  enum class Kind { kHello, kJob, kResult, kStage, kError, kQuit };
  Kind kind = Kind::kQuit;
  uint64_t id = 0;
  Hello hello;
  Job job;
  JobResult result;
  std::string stage;
  Diagnostics errors;
  bool fatal = false;
};
// Error: not a line of this protocol, with what was expected.
Result<Message> read_message(std::string_view line);

std::string base64(std::string_view bytes);
Result<std::string> from_base64(std::string_view text);

}  // namespace warpshop::device
