// Messages between the lab and a GPU worker: JSON lines on the worker's standard streams.
// docs/worker-protocol.md describes every message; docs/worker-protocol.schema.json is the schema.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dim3.h"
#include "core/element_type.h"
#include "core/element_values.h"
#include "core/fill.h"
#include "core/result.h"
#include "core/tensor_type.h"

namespace warpshop::device {

// Raise this whenever an older side would misread a changed message.
inline constexpr int kProtocolVersion = 4;  // 4: tensor maps

// One GPU, as reported by the driver.
struct GpuInfo {
  int index = 0;
  std::string name;  // "NVIDIA H200"
  int capability_major = 0;
  int capability_minor = 0;
  std::string pci;  // "0000:1b:00.0"
  uint64_t memory_bytes = 0;
  int sm_count = 0;
  uint64_t l2_bytes = 0;
  int clock_mhz = 0;         // maximum SM clock
  int memory_clock_mhz = 0;  // maximum
  int bus_width_bits = 0;
  bool ecc = false;
  Diagnostics problems;  // an error means that the GPU cannot be used

  bool usable() const { return !has_errors(problems); }
  // Peak rate of the memory pins: two transfers per memory clock.
  double peak_gb_s() const { return 2e-3 * memory_clock_mhz * bus_width_bits / 8; }
};

// A worker's first line.
struct Hello {
  int protocol = 0;
  std::string version;  // of the program
  std::string host;
  std::string driver;  // newest CUDA version supported by the driver, "13.0"; empty: no driver
  std::string driver_version;  // the driver's own version, "580.159.04"; empty: unknown
  std::string nvrtc;           // "13.0"; empty: no NVRTC
  std::vector<GpuInfo> gpus;
  Diagnostics problems;  // of the whole machine: no driver, a driver that is too old, no NVRTC

  const GpuInfo* find_gpu(int index) const;
  // The first usable GPU; nullptr if there is none.
  const GpuInfo* first_usable() const;
};

// A kernel's source and launch configuration.
struct KernelSource {
  std::string source;
  std::string file_name;
  std::string entry;                      // name in the PTX
  std::vector<std::string> options;       // for the compiler
  std::vector<std::string> include_dirs;  // on the worker's machine, for sources stored there
  std::string trailer;                    // see compile::CompileInput
  bool prelude = true;
  bool is_ptx = false;         // the source is PTX and is loaded unchanged
  bool whole_program = false;  // see compile::CompileInput
  Dim3 grid;
  Dim3 block;
  uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;  // all blocks resident at once
};

// In the order of CUaddress_mode. Outside 0 … size, these repeat the texture, clamp to the edge
// texel, mirror every other copy, or return the border colour.
enum class TextureAddress : uint8_t { kWrap, kClamp, kMirror, kBorder };

// A buffer that the kernel accesses as a texture or surface object. Its texels have type
// JobArg::type; rows are packed, as in the buffer's bytes.
struct JobTexture {
  bool surface = false;
  bool plain = false;   // backed by a plain buffer, for tex1Dfetch; otherwise by an array
  int channels = 1;     // elements per texel: 1, 2, 4
  uint64_t width = 1;   // texels
  uint64_t height = 0;  // 0: one-dimensional
  std::array<TextureAddress, 2> address{TextureAddress::kClamp, TextureAddress::kClamp};  // x, y
  bool linear_filter = false;
  bool normalized_read = false;  // 8- and 16-bit integers are read as 0 … 1
  bool normalized_coordinates = false;
  std::array<float, 4> border{};

  uint64_t size_bytes(ElementType type) const {
    return width * (height == 0 ? 1 : height) * static_cast<uint64_t>(channels) *
           static_cast<uint64_t>(warpshop::size_bytes(type));
  }
};

// A buffer that the kernel is passed as a tensor map (CUtensorMap). Lists start with the contiguous
// dimension.
struct JobTensor {
  TensorType type = TensorType::kF32;
  std::vector<uint64_t> extents;            // elements; 1 to 5
  std::vector<uint64_t> strides{};          // bytes, of the second dimension and later ones
  std::vector<uint32_t> box;                // elements
  std::vector<uint32_t> element_strides{};  // one per dimension
  int swizzle_bytes = 0;                    // 0, 32, 64 or 128
  bool nan_outside = false;
};

// A kernel argument: a buffer, or the bytes of a scalar.
struct JobArg {
  bool is_buffer = false;
  std::string name;
  uint64_t size_bytes = 0;
  ElementType type = ElementType::kU8;  // for the comparison, and for texels
  Fill fill;
  std::string file_bytes;  // for Fill kFile
  // Instead of these bytes: the worker makes them.
  std::optional<EachElement> each;
  bool output = false;
  std::optional<JobTexture> texture;  // buffers only
  std::optional<JobTensor> tensor;    // likewise
  std::vector<uint8_t> scalar;
};

// Work on one kernel, or on a student's kernel and its reference.
struct Job {
  int gpu = 0;
  KernelSource student;
  std::optional<KernelSource> reference;  // absent: nothing is compared
  std::vector<JobArg> args;               // of both kernels
  double tolerance = 0;                   // relative; see OutputComparison
  bool hashes = false;                    // return the FNV-1a hash of every buffer
  bool bytes = false;                     // return every buffer's bytes
  bool time = false;
  bool counters = false;  // read the GPU's hardware counters for the student's kernel
  bool describe = false;  // runs none of the job's kernels: describes and measures the GPU itself
  int launches = 21;      // timed launches per kernel
  double time_limit_s = 10;  // for the whole job after compilation
};

// Element-wise comparison of an output with the reference's, made on the GPU by the lab's rule. An
// element is wrong if its bits differ (all NaNs are equal) or, with a tolerance, if its error
// exceeds tolerance × max(its magnitude, the buffer's mean magnitude). It is also wrong if the
// reference wrote it and the student did not.
struct OutputComparison {
  std::string buffer;
  ElementType type = ElementType::kU8;
  uint64_t count = 0;
  uint64_t wrong = 0;
  double max_abs_error = 0;
  uint64_t first_index = 0;  // this and the rest are set only if wrong > 0
  std::vector<uint8_t> first_expected;
  std::vector<uint8_t> first_got;
  bool first_written = true;
  std::vector<uint8_t> wrong_bits;  // bit i: element i is wrong
};

// An out-of-bounds store that hit the guard zone next to a buffer.
struct GuardHit {
  std::string buffer;
  int64_t offset_bytes = 0;  // from the start of the buffer; negative: before it
  uint64_t bytes = 0;        // bytes changed
};

// Launches of one kernel, timed with events. Cold: L2 is flushed and the inputs are new before each
// launch. Warm: the same launch repeated.
struct KernelTiming {
  double median_us = 0;  // cold
  double min_us = 0;
  double spread_us = 0;  // interquartile range
  double warm_median_us = 0;
  int launches = 0;
  int outliers = 0;                // more than 5 scaled median deviations from the median
  std::vector<double> samples_us;  // cold, in launch order
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
  // Wrong elements in the outputs of the timed launches, each of which has different inputs.
  uint64_t wrong_when_timed = 0;
  bool inputs_changed = false;  // false: no input has a fill that can vary
  double empty_launch_us = 0;   // an empty kernel, measured the same way
  int clock_mhz = 0;            // during the measurement; 0: unknown
  int memory_clock_mhz = 0;
  int temperature_c = 0;
  std::vector<std::string> throttled;  // reasons, e.g. "power cap"; empty: none
  double copy_ceiling_gb_s = 0;        // the best copy on this GPU, counting bytes read and written
};

// One hardware counter for one launch.
struct CounterValue {
  std::string name;    // timing/counters.h's name if the emulator counts it: "global_load_sectors"
  std::string unit;    // "sector"
  std::string metric;  // Nsight Compute's, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
  double value = 0;
};

struct CounterReading {
  std::vector<CounterValue> values;
  Diagnostics problems;  // notes: why values are missing, and what to do

  const CounterValue* find(std::string_view name) const;
};

// What a GPU profile needs (assets/gpus). Latencies are for dependent loads, in SM clock cycles.
struct GpuDescription {
  // From the driver: cuDeviceGetAttribute.
  int max_threads_per_sm = 0;
  int max_blocks_per_sm = 0;
  int max_threads_per_block = 0;
  int registers_per_sm = 0;
  int registers_per_block = 0;
  uint32_t shared_bytes_per_sm = 0;
  uint32_t shared_bytes_per_block = 0;
  uint32_t shared_bytes_per_block_optin = 0;
  uint32_t shared_reserved_bytes = 0;  // per block
  // Measured; 0: the measurement failed.
  double copy_gb_s = 0;  // the best copy, counting bytes read and written
  double read_gb_s = 0;  // the best dense read
  double launch_us = 0;  // an empty kernel, timed with events
  double shared_latency_cycles = 0;
  double l1_latency_cycles = 0;
  double l2_latency_cycles = 0;
  double dram_latency_cycles = 0;
  int clock_mhz = 0;  // during the measurement
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

// --- Lines ---
// Each ends with a newline. Readers ignore unknown keys and reject anything else that does not
// match the schema: the sender may be another version, or not a worker at all.

std::string line_of(const Hello& hello);
std::string line_of(uint64_t id, const Job& job);
std::string line_of(uint64_t id, const JobResult& result);
std::string stage_line(uint64_t id, std::string_view stage);
// `fatal`: the worker exits after this line.
std::string error_line(uint64_t id, const Diagnostics& errors, bool fatal);
std::string quit_line();

struct Message {
  enum class Kind { kHello, kJob, kResult, kStage, kError, kQuit, kQueue };
  Kind kind = Kind::kQuit;
  uint64_t id = 0;
  Hello hello;
  Job job;
  JobResult result;
  std::string stage;
  int place = 0;  // of the job, where a class shares the GPU (docs/serving.md)
  Diagnostics errors;
  bool fatal = false;
};
// Error: not a line of this protocol; says what was expected.
Result<Message> read_message(std::string_view line);

}  // namespace warpshop::device
