#include "device/protocol.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "core/base64.h"
#include "core/json_text.h"
#include "core/nesting.h"
#include "protocol_json.h"

namespace warpshop::device {

namespace {

using device::json_of;  // in addition to those declared here

constexpr size_t kMostLaunches = 1001;
constexpr size_t kLongestPrinted = size_t{4} << 20;  // a worker sends 1 MiB, which escaping makes
                                                     // longer
constexpr size_t kLongestName = 1000;

// Thrown by the readers, as are the JSON library's exceptions; read_message catches both.
struct BadMessage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename Bytes>
std::string base64_of(const Bytes& bytes) {
  return base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});  // NOLINT
}

std::string bytes_of(const Json& text) {
  std::optional<std::string> bytes = from_base64(text.get<std::string>());
  if (!bytes) throw BadMessage("this is not base64 (RFC 4648)");
  return std::move(*bytes);
}

// A measured number: finite and not negative.
double measured_of(const Json& json) {
  const double value = json.get<double>();
  if (!std::isfinite(value) || value < 0) throw BadMessage("an invalid time or rate");
  return value;
}

// A text from a worker, such as a name, of at most `most` bytes.
std::string short_text(std::string text, size_t most) {
  if (text.size() > most)
    throw BadMessage("a text of " + std::to_string(text.size()) + " bytes, " +
                     std::to_string(most) + " at most");
  return text;
}

std::vector<uint8_t> octets_of(const Json& text) {
  const std::string bytes = bytes_of(text);
  return {bytes.begin(), bytes.end()};
}

constexpr std::string_view kFillNames[] = {"zero", "none",  "iota", "random",
                                           "bits", "chase", "file"};

std::string fill_name(FillKind kind) { return std::string(kFillNames[static_cast<size_t>(kind)]); }

FillKind fill_named(const std::string& name) {
  const auto* found = std::find(std::begin(kFillNames), std::end(kFillNames), name);
  if (found == std::end(kFillNames)) throw BadMessage("unknown fill '" + name + "'");
  return static_cast<FillKind>(found - std::begin(kFillNames));
}

ElementType type_named(const std::string& name) {
  const std::optional<ElementType> type = element_type_named(name);
  if (!type) throw BadMessage("unknown element type '" + name + "'");
  return *type;
}

Dim3 dim_of(const Json& json) {
  if (!json.is_array() || json.size() != 3) throw BadMessage("a grid or block needs three numbers");
  return json.get<Dim3>();
}

Json json_of(const KernelSource& kernel) {
  return {{"source", kernel.source},
          {"file", kernel.file_name},
          {"entry", kernel.entry},
          {"options", kernel.options},
          {"include_dirs", kernel.include_dirs},
          {"trailer", kernel.trailer},
          {"prelude", kernel.prelude},
          {"ptx", kernel.is_ptx},
          {"whole_program", kernel.whole_program},
          {"grid", kernel.grid},
          {"block", kernel.block},
          {"dynamic_shared", kernel.dynamic_shared_bytes},
          {"cooperative", kernel.cooperative}};
}

KernelSource kernel_of(const Json& json) {
  KernelSource kernel;
  kernel.source = json.at("source").get<std::string>();
  kernel.file_name = json.at("file").get<std::string>();
  kernel.entry = json.at("entry").get<std::string>();
  kernel.options = json.value("options", std::vector<std::string>());
  kernel.include_dirs = json.value("include_dirs", std::vector<std::string>());
  kernel.trailer = json.value("trailer", std::string());
  kernel.prelude = json.value("prelude", true);
  kernel.is_ptx = json.value("ptx", false);
  kernel.whole_program = json.value("whole_program", false);
  kernel.grid = dim_of(json.at("grid"));
  kernel.block = dim_of(json.at("block"));
  kernel.dynamic_shared_bytes = json.value("dynamic_shared", 0U);
  kernel.cooperative = json.value("cooperative", false);
  return kernel;
}

constexpr std::string_view kAddressNames[] = {"wrap", "clamp", "mirror", "border"};

Json json_of(const JobTexture& texture) {
  Json address = Json::array();
  for (const TextureAddress mode : texture.address)
    address.push_back(std::string(kAddressNames[static_cast<size_t>(mode)]));
  return {{"surface", texture.surface},
          {"plain", texture.plain},
          {"channels", texture.channels},
          {"width", texture.width},
          {"height", texture.height},
          {"address", address},
          {"filter", texture.linear_filter ? "linear" : "point"},
          {"read", texture.normalized_read ? "normalized" : "element"},
          {"normalized", texture.normalized_coordinates},
          {"border", texture.border}};
}

// True for `second`, false for `first`; anything else is an error.
bool is_second(const Json& json, std::string_view first, std::string_view second) {
  const auto word = json.get<std::string>();
  if (word != first && word != second) {
    throw BadMessage("'" + word + "' is neither '" + std::string(first) + "' nor '" +
                     std::string(second) + "'");
  }
  return word == second;
}

JobTexture texture_of(const Json& json) {
  JobTexture texture;
  texture.surface = json.value("surface", false);
  texture.plain = json.value("plain", false);
  texture.channels = json.value("channels", 1);
  texture.width = json.at("width").get<uint64_t>();
  texture.height = json.value("height", uint64_t{0});
  if (texture.channels != 1 && texture.channels != 2 && texture.channels != 4) {
    throw BadMessage("a texel has 1, 2 or 4 channels");
  }
  if (json.contains("address")) {
    for (size_t i = 0; i < texture.address.size(); ++i) {
      const auto name = json.at("address").at(i).get<std::string>();
      const auto* found = std::find(std::begin(kAddressNames), std::end(kAddressNames), name);
      if (found == std::end(kAddressNames)) {
        throw BadMessage("unknown address mode '" + name + "'");
      }
      texture.address[i] = static_cast<TextureAddress>(found - std::begin(kAddressNames));
    }
  }
  if (json.contains("filter")) texture.linear_filter = is_second(json["filter"], "point", "linear");
  if (json.contains("read"))
    texture.normalized_read = is_second(json["read"], "element", "normalized");
  texture.normalized_coordinates = json.value("normalized", false);
  texture.border = json.value("border", texture.border);
  return texture;
}

Json json_of(const JobTensor& tensor) {
  return {{"type", std::string(name_of(tensor.type))},
          {"extents", tensor.extents},
          {"strides", tensor.strides},
          {"box", tensor.box},
          {"element_strides", tensor.element_strides},
          {"swizzle", tensor.swizzle_bytes},
          {"nan_outside", tensor.nan_outside}};
}

JobTensor tensor_of(const Json& json) {
  JobTensor tensor;
  const auto name = json.at("type").get<std::string>();
  const std::optional<TensorType> type = tensor_type_named(name);
  if (!type) throw BadMessage("unknown element type '" + name + "' of a tensor map");
  tensor.type = *type;
  tensor.extents = json.at("extents").get<std::vector<uint64_t>>();
  const size_t rank = tensor.extents.size();
  tensor.strides = json.value("strides", tensor.strides);
  tensor.box = json.at("box").get<std::vector<uint32_t>>();
  tensor.element_strides = json.value("element_strides", std::vector<uint32_t>(rank, 1));
  tensor.swizzle_bytes = json.value("swizzle", 0);
  tensor.nan_outside = json.value("nan_outside", false);
  if (rank < 1 || rank > 5 || tensor.strides.size() != rank - 1 || tensor.box.size() != rank ||
      tensor.element_strides.size() != rank) {
    throw BadMessage("a tensor map needs 1 to 5 dimensions, and as many numbers in its lists");
  }
  return tensor;
}

Json json_of(const JobArg& arg) {
  if (!arg.is_buffer) return {{"scalar", base64_of(arg.scalar)}};
  Json out = {{"buffer", arg.size_bytes},
              {"name", arg.name},
              {"element", std::string(name_of(arg.type))},
              {"output", arg.output},
              {"fill", fill_name(arg.fill.kind)},
              {"fill_element", std::string(name_of(arg.fill.type))},
              {"seed", arg.fill.seed},
              {"shift", arg.fill.shift}};
  if (arg.fill.key != 0) out["key"] = arg.fill.key;
  if (arg.each) {
    out["each"] = {{"expression", arg.each->expression},
                   {"variables", arg.each->variables},
                   {"seed", arg.each->seed},
                   {"key", arg.each->key}};
  } else if (arg.fill.kind == FillKind::kFile) {
    out["data"] = base64(arg.file_bytes);
  }
  if (arg.texture) out["texture"] = json_of(*arg.texture);
  if (arg.tensor) out["tensor"] = json_of(*arg.tensor);
  return out;
}

JobArg arg_of(const Json& json) {
  JobArg arg;
  if (json.contains("scalar")) {
    arg.scalar = octets_of(json.at("scalar"));
    return arg;
  }
  arg.is_buffer = true;
  arg.size_bytes = json.at("buffer").get<uint64_t>();
  arg.name = json.value("name", std::string());
  arg.type = type_named(json.at("element").get<std::string>());
  arg.output = json.value("output", false);
  arg.fill.kind = fill_named(json.at("fill").get<std::string>());
  arg.fill.type = type_named(json.value("fill_element", std::string("u32")));
  arg.fill.seed = json.value("seed", 0U);
  arg.fill.shift = json.value("shift", 0U);
  arg.fill.key = json.value("key", uint64_t{0});
  if (json.contains("each")) {
    const Json& each = json.at("each");
    arg.each = EachElement{.expression = each.at("expression").get<std::string>(),
                           .variables = each.at("variables").get<std::map<std::string, int64_t>>(),
                           .type = arg.type,
                           .seed = each.value("seed", 0U),
                           .key = each.value("key", uint64_t{0})};
  } else if (arg.fill.kind == FillKind::kFile) {
    arg.file_bytes = bytes_of(json.at("data"));
    if (arg.file_bytes.size() < arg.size_bytes)
      throw BadMessage("the data of a file fill is too short");
  }
  if (json.contains("texture")) {
    arg.texture = texture_of(json.at("texture"));
    // Beyond 2^32 the product could overflow; no GPU has such textures.
    if (arg.texture->width >> 32 != 0 || arg.texture->height >> 24 != 0 ||
        arg.texture->size_bytes(arg.type) != arg.size_bytes) {
      throw BadMessage("a texture whose extent does not match its buffer");
    }
  }
  if (json.contains("tensor")) {
    arg.tensor = tensor_of(json.at("tensor"));
    if (span_bytes(arg.tensor->type, arg.tensor->extents, arg.tensor->strides) > arg.size_bytes)
      throw BadMessage("a tensor map that reaches beyond its buffer");
  }
  return arg;
}

Json json_of(const Job& job) {
  Json args = Json::array();
  for (const JobArg& arg : job.args) args.push_back(json_of(arg));
  Json out = {{"gpu", job.gpu},
              {"student", json_of(job.student)},
              {"args", args},
              {"tolerance", job.tolerance},
              {"hashes", job.hashes},
              {"bytes", job.bytes},
              {"time", job.time},
              {"counters", job.counters},
              {"describe", job.describe},
              {"launches", job.launches},
              {"time_limit_s", job.time_limit_s}};
  if (job.reference) out["reference"] = json_of(*job.reference);
  return out;
}

Job job_of(const Json& json) {
  Job job;
  job.gpu = json.value("gpu", 0);
  job.describe = json.value("describe", false);
  job.time_limit_s = std::clamp(json.value("time_limit_s", 10.0), 0.01, 3600.0);
  if (job.describe) return job;
  job.student = kernel_of(json.at("student"));
  if (json.contains("reference")) job.reference = kernel_of(json.at("reference"));
  for (const Json& arg : json.at("args")) job.args.push_back(arg_of(arg));
  job.tolerance = json.value("tolerance", 0.0);
  job.hashes = json.value("hashes", false);
  job.bytes = json.value("bytes", false);
  job.time = json.value("time", false);
  job.counters = json.value("counters", false);
  job.launches = std::clamp(json.value("launches", 21), 3, static_cast<int>(kMostLaunches));
  return job;
}

Json json_of(const KernelFigures& f) {
  return {{"registers", f.registers},
          {"static_shared", f.static_shared_bytes},
          {"local_bytes", f.local_bytes},
          {"max_threads_per_block", f.max_threads_per_block},
          {"blocks_per_sm", f.blocks_per_sm}};
}

KernelFigures figures_of(const Json& json) {
  return {json.at("registers").get<int>(), json.at("static_shared").get<uint32_t>(),
          json.at("local_bytes").get<uint32_t>(), json.at("max_threads_per_block").get<int>(),
          json.at("blocks_per_sm").get<int>()};
}

Json json_of(const OutputComparison& output) {
  Json out = {{"buffer", output.buffer},
              {"element", std::string(name_of(output.type))},
              {"count", output.count},
              {"wrong", output.wrong},
              {"max_abs_error", output.max_abs_error}};
  if (output.wrong > 0) {
    out["first"] = {{"index", output.first_index},
                    {"expected", base64_of(output.first_expected)},
                    {"got", base64_of(output.first_got)},
                    {"written", output.first_written}};
    out["wrong_bits"] = base64_of(output.wrong_bits);
  }
  return out;
}

OutputComparison output_of(const Json& json) {
  OutputComparison out;
  out.buffer = json.at("buffer").get<std::string>();
  out.type = type_named(json.at("element").get<std::string>());
  out.count = json.at("count").get<uint64_t>();
  out.wrong = json.at("wrong").get<uint64_t>();
  out.max_abs_error = json.at("max_abs_error").get<double>();
  if (out.wrong == 0) return out;
  const Json& first = json.at("first");
  out.first_index = first.at("index").get<uint64_t>();
  out.first_expected = octets_of(first.at("expected"));
  out.first_got = octets_of(first.at("got"));
  out.first_written = first.at("written").get<bool>();
  out.wrong_bits = octets_of(json.at("wrong_bits"));
  const auto size = static_cast<size_t>(size_bytes(out.type));
  if (out.first_expected.size() != size || out.first_got.size() != size ||
      out.first_index >= out.count ||
      out.wrong_bits.size() != out.count / 8 + (out.count % 8 != 0)) {
    throw BadMessage("an inconsistent comparison");
  }
  uint64_t marked = 0;
  for (const uint8_t bits : out.wrong_bits) marked += static_cast<uint64_t>(std::popcount(bits));
  const bool within = out.count % 8 == 0 || out.wrong_bits.back() >> (out.count % 8) == 0;
  if (marked != out.wrong || !within)
    throw BadMessage("a comparison that counts and marks different elements");
  return out;
}

Json json_of(const KernelTiming& timing) {
  return {{"median_us", timing.median_us},  {"min_us", timing.min_us},
          {"spread_us", timing.spread_us},  {"warm_median_us", timing.warm_median_us},
          {"launches", timing.launches},    {"outliers", timing.outliers},
          {"samples_us", timing.samples_us}};
}

KernelTiming kernel_timing_of(const Json& json) {
  KernelTiming out;
  out.median_us = measured_of(json.at("median_us"));
  out.min_us = measured_of(json.at("min_us"));
  out.spread_us = measured_of(json.at("spread_us"));
  out.warm_median_us = measured_of(json.at("warm_median_us"));
  out.launches = json.at("launches").get<int>();
  out.outliers = json.at("outliers").get<int>();
  const Json& samples = json.at("samples_us");
  if (samples.size() > kMostLaunches) throw BadMessage("more launches than a job can ask for");
  for (const Json& sample : samples) out.samples_us.push_back(measured_of(sample));
  if (out.launches < 0 || static_cast<size_t>(out.launches) != samples.size() || out.outliers < 0 ||
      out.outliers > out.launches) {
    throw BadMessage("inconsistent times");
  }
  return out;
}

Json json_of(const Timing& timing) {
  Json out = {{"student", json_of(timing.student)},
              {"wrong_when_timed", timing.wrong_when_timed},
              {"inputs_changed", timing.inputs_changed},
              {"empty_launch_us", timing.empty_launch_us},
              {"clock_mhz", timing.clock_mhz},
              {"memory_clock_mhz", timing.memory_clock_mhz},
              {"temperature_c", timing.temperature_c},
              {"throttled", timing.throttled},
              {"copy_ceiling_gb_s", timing.copy_ceiling_gb_s}};
  if (timing.reference) out["reference"] = json_of(*timing.reference);
  return out;
}

Timing timing_of(const Json& json) {
  Timing out;
  out.student = kernel_timing_of(json.at("student"));
  if (json.contains("reference")) out.reference = kernel_timing_of(json.at("reference"));
  out.wrong_when_timed = json.at("wrong_when_timed").get<uint64_t>();
  out.inputs_changed = json.at("inputs_changed").get<bool>();
  out.empty_launch_us = measured_of(json.at("empty_launch_us"));
  out.clock_mhz = json.value("clock_mhz", 0);
  out.memory_clock_mhz = json.value("memory_clock_mhz", 0);
  out.temperature_c = json.value("temperature_c", 0);
  out.throttled = json.value("throttled", std::vector<std::string>());
  out.copy_ceiling_gb_s = measured_of(json.at("copy_ceiling_gb_s"));
  return out;
}

Json json_of(const JobResult& result) {
  Json outputs = Json::array();
  for (const OutputComparison& output : result.outputs) outputs.push_back(json_of(output));
  Json guards = Json::array();
  for (const GuardHit& hit : result.guards) {
    guards.push_back({{"buffer", hit.buffer}, {"offset", hit.offset_bytes}, {"bytes", hit.bytes}});
  }
  Json bytes = Json::array();
  for (const std::vector<uint8_t>& buffer : result.bytes) bytes.push_back(base64_of(buffer));
  Json out = {{"student", json_of(result.student)},
              {"outputs", outputs},
              {"guards", guards},
              {"hashes", result.hashes},
              {"bytes", bytes},
              {"printed", result.printed},
              {"warnings", json_of(result.warnings)},
              {"seconds", result.seconds}};
  if (result.reference) out["reference"] = json_of(*result.reference);
  if (result.timing) out["timing"] = json_of(*result.timing);
  if (result.counters) out["counters"] = json_of(*result.counters);
  if (result.description) out["description"] = json_of(*result.description);
  return out;
}

JobResult result_of(const Json& json) {
  JobResult out;
  out.student = figures_of(json.at("student"));
  if (json.contains("reference")) out.reference = figures_of(json.at("reference"));
  for (const Json& output : json.at("outputs")) out.outputs.push_back(output_of(output));
  for (const Json& hit : json.at("guards")) {
    out.guards.push_back({hit.at("buffer").get<std::string>(), hit.at("offset").get<int64_t>(),
                          hit.at("bytes").get<uint64_t>()});
  }
  out.hashes = json.at("hashes").get<std::vector<std::string>>();
  for (const Json& buffer : json.at("bytes")) out.bytes.push_back(octets_of(buffer));
  if (json.contains("timing")) out.timing = timing_of(json.at("timing"));
  if (json.contains("counters")) out.counters = counters_of(json.at("counters"));
  if (json.contains("description")) out.description = description_of(json.at("description"));
  out.printed = short_text(json.value("printed", std::string()), kLongestPrinted);
  out.warnings = diagnostics_of(json.at("warnings"));
  out.seconds = json.at("seconds").get<double>();
  return out;
}

Hello hello_of(const Json& json) {
  Hello hello;
  hello.protocol = json.at("protocol").get<int>();
  hello.version = json.value("version", std::string());
  if (hello.protocol != kProtocolVersion) return hello;  // anything may follow
  hello.host = short_text(json.at("host").get<std::string>(), kLongestName);
  hello.driver = json.at("driver").get<std::string>();
  hello.driver_version = json.value("driver_version", std::string());
  hello.nvrtc = json.at("nvrtc").get<std::string>();
  for (const Json& gpu : json.at("gpus")) hello.gpus.push_back(gpu_of(gpu));
  hello.problems = diagnostics_of(json.at("problems"));
  return hello;
}

// Text from a kernel or compiler may contain invalid UTF-8, which must not block the message.
std::string line(const Json& json) { return json_text(json) + "\n"; }

Message message_of(const Json& json) {
  Message out;
  const auto type = json.at("type").get<std::string>();
  out.id = json.value("id", uint64_t{0});
  if (type == "hello") {
    out.kind = Message::Kind::kHello;
    out.hello = hello_of(json);
  } else if (type == "job") {
    out.kind = Message::Kind::kJob;
    out.job = job_of(json.at("job"));
  } else if (type == "result") {
    out.kind = Message::Kind::kResult;
    out.result = result_of(json.at("result"));
  } else if (type == "stage") {
    out.kind = Message::Kind::kStage;
    out.stage = json.at("stage").get<std::string>();
  } else if (type == "error") {
    out.kind = Message::Kind::kError;
    out.errors = diagnostics_of(json.at("errors"));
    out.fatal = json.value("fatal", false);
    if (!has_errors(out.errors)) throw BadMessage("an error message without an error");
  } else if (type == "quit") {
    out.kind = Message::Kind::kQuit;
  } else if (type == "queue") {
    out.kind = Message::Kind::kQueue;
    out.place = json.at("place").get<int>();
  } else {
    throw BadMessage("unknown message type '" + type + "'");
  }
  return out;
}

}  // namespace

const GpuInfo* Hello::find_gpu(int index) const {
  for (const GpuInfo& gpu : gpus) {
    if (gpu.index == index) return &gpu;
  }
  return nullptr;
}

const GpuInfo* Hello::first_usable() const {
  for (const GpuInfo& gpu : gpus) {
    if (gpu.usable()) return &gpu;
  }
  return nullptr;
}

bool JobResult::correct() const {
  if (!guards.empty()) return false;
  if (timing && timing->wrong_when_timed > 0) return false;
  return std::all_of(outputs.begin(), outputs.end(),
                     [](const OutputComparison& output) { return output.wrong == 0; });
}

std::string line_of(const Hello& hello) {
  Json gpus = Json::array();
  for (const GpuInfo& gpu : hello.gpus) gpus.push_back(json_of(gpu));
  return line({{"type", "hello"},
               {"protocol", hello.protocol},
               {"version", hello.version},
               {"host", hello.host},
               {"driver", hello.driver},
               {"driver_version", hello.driver_version},
               {"nvrtc", hello.nvrtc},
               {"gpus", gpus},
               {"problems", json_of(hello.problems)}});
}

std::string line_of(uint64_t id, const Job& job) {
  return line({{"type", "job"}, {"id", id}, {"job", json_of(job)}});
}

std::string line_of(uint64_t id, const JobResult& result) {
  return line({{"type", "result"}, {"id", id}, {"result", json_of(result)}});
}

std::string stage_line(uint64_t id, std::string_view stage) {
  return line({{"type", "stage"}, {"id", id}, {"stage", std::string(stage)}});
}

std::string error_line(uint64_t id, const Diagnostics& errors, bool fatal) {
  return line({{"type", "error"}, {"id", id}, {"errors", json_of(errors)}, {"fatal", fatal}});
}

std::string quit_line() { return line({{"type", "quit"}}); }

Result<Message> read_message(std::string_view text) {
  try {
    if (json_nests_too_deep(text)) throw std::runtime_error("brackets nested too deeply");
    return message_of(Json::parse(text));
  } catch (const std::exception& error) {
    const std::string begin(text.substr(0, 120));
    return make_error(
        "gpu-protocol",
        sentence("this is not a line of the worker protocol, version {version} ({error}): {line}",
                 {{"version", kProtocolVersion}, {"error", error.what()}, {"line", begin}}));
  }
}

}  // namespace warpshop::device
