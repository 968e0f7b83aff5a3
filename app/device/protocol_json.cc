// JSON for GPU descriptions and counters.
#include "protocol_json.h"

#include <algorithm>

#include "sentence_json.h"

namespace warpshop::device {
namespace {

// Writes the English text and, if it can be translated, its parts.
void put(Json& out, const char* key, const char* parts_key, const Sentence& sentence) {
  out[key] = sentence.english();
  Json parts = parts_of(sentence);
  if (!parts.is_string()) out[parts_key] = std::move(parts);
}

Sentence taken(const Json& item, const char* parts_key, std::string english) {
  const auto parts = item.find(parts_key);
  return parts == item.end() ? Sentence(std::move(english))
                             : sentence_from(std::move(english), *parts);
}

}  // namespace

Json json_of(const Diagnostics& diagnostics) {
  Json out = Json::array();
  for (const Diagnostic& d : diagnostics) {
    Json item = {{"severity", std::string(severity_name(d.severity))},
                 {"kind", d.kind.name()},
                 {"file", d.place.file},
                 {"line", d.place.line},
                 {"column", d.place.column},
                 {"length", d.place.length}};
    put(item, "message", "message_parts", d.message);
    put(item, "help", "help_parts", d.help);
    out.push_back(std::move(item));
  }
  return out;
}

Diagnostics diagnostics_of(const Json& list) {
  Diagnostics out;
  for (const Json& item : list) {
    Diagnostic d;
    const auto severity = item.at("severity").get<std::string>();
    d.severity = severity == "warning" ? Severity::kWarning
                 : severity == "note"  ? Severity::kNote
                                       : Severity::kError;
    constexpr DiagnosticKind kUnknown = "gpu-protocol";  // of a worker of another version
    d.kind = DiagnosticKind::named(item.at("kind").get<std::string>()).value_or(kUnknown);
    d.place.file = item.value("file", std::string());
    d.place.line = item.value("line", 0);
    d.place.column = item.value("column", 0);
    d.place.length = item.value("length", 0);
    d.message = taken(item, "message_parts", item.at("message").get<std::string>());
    d.help = taken(item, "help_parts", item.value("help", std::string()));
    out.push_back(std::move(d));
  }
  return out;
}

Json json_of(const GpuInfo& gpu) {
  return {{"index", gpu.index},
          {"name", gpu.name},
          {"compute_capability", {gpu.capability_major, gpu.capability_minor}},
          {"pci", gpu.pci},
          {"memory_bytes", gpu.memory_bytes},
          {"sm_count", gpu.sm_count},
          {"l2_bytes", gpu.l2_bytes},
          {"clock_mhz", gpu.clock_mhz},
          {"memory_clock_mhz", gpu.memory_clock_mhz},
          {"bus_width_bits", gpu.bus_width_bits},
          {"ecc", gpu.ecc},
          {"problems", json_of(gpu.problems)}};
}

GpuInfo gpu_of(const Json& json) {
  GpuInfo gpu;
  gpu.index = json.at("index").get<int>();
  gpu.name = json.at("name").get<std::string>();
  gpu.capability_major = json.at("compute_capability").at(0).get<int>();
  gpu.capability_minor = json.at("compute_capability").at(1).get<int>();
  gpu.pci = json.value("pci", std::string());
  gpu.memory_bytes = json.at("memory_bytes").get<uint64_t>();
  gpu.sm_count = json.at("sm_count").get<int>();
  gpu.l2_bytes = json.at("l2_bytes").get<uint64_t>();
  gpu.clock_mhz = json.at("clock_mhz").get<int>();
  gpu.memory_clock_mhz = json.at("memory_clock_mhz").get<int>();
  gpu.bus_width_bits = json.at("bus_width_bits").get<int>();
  gpu.ecc = json.value("ecc", false);
  gpu.problems = diagnostics_of(json.at("problems"));
  return gpu;
}

Json json_of(const CounterReading& reading) {
  Json values = Json::array();
  for (const CounterValue& value : reading.values) {
    values.push_back({{"name", value.name},
                      {"unit", value.unit},
                      {"metric", value.metric},
                      {"value", value.value}});
  }
  return {{"values", values}, {"problems", json_of(reading.problems)}};
}

CounterReading counters_of(const Json& json) {
  CounterReading out;
  for (const Json& value : json.at("values")) {
    out.values.push_back({value.at("name").get<std::string>(), value.at("unit").get<std::string>(),
                          value.at("metric").get<std::string>(), value.at("value").get<double>()});
  }
  out.problems = diagnostics_of(json.at("problems"));
  return out;
}

Json json_of(const GpuDescription& d) {
  return {{"max_threads_per_sm", d.max_threads_per_sm},
          {"max_blocks_per_sm", d.max_blocks_per_sm},
          {"max_threads_per_block", d.max_threads_per_block},
          {"registers_per_sm", d.registers_per_sm},
          {"registers_per_block", d.registers_per_block},
          {"shared_bytes_per_sm", d.shared_bytes_per_sm},
          {"shared_bytes_per_block", d.shared_bytes_per_block},
          {"shared_bytes_per_block_optin", d.shared_bytes_per_block_optin},
          {"shared_reserved_bytes", d.shared_reserved_bytes},
          {"copy_gb_s", d.copy_gb_s},
          {"read_gb_s", d.read_gb_s},
          {"launch_us", d.launch_us},
          {"shared_latency_cycles", d.shared_latency_cycles},
          {"l1_latency_cycles", d.l1_latency_cycles},
          {"l2_latency_cycles", d.l2_latency_cycles},
          {"dram_latency_cycles", d.dram_latency_cycles},
          {"clock_mhz", d.clock_mhz},
          {"throttled", d.throttled}};
}

GpuDescription description_of(const Json& json) {
  GpuDescription d;
  json.at("max_threads_per_sm").get_to(d.max_threads_per_sm);
  json.at("max_blocks_per_sm").get_to(d.max_blocks_per_sm);
  json.at("max_threads_per_block").get_to(d.max_threads_per_block);
  json.at("registers_per_sm").get_to(d.registers_per_sm);
  json.at("registers_per_block").get_to(d.registers_per_block);
  json.at("shared_bytes_per_sm").get_to(d.shared_bytes_per_sm);
  json.at("shared_bytes_per_block").get_to(d.shared_bytes_per_block);
  json.at("shared_bytes_per_block_optin").get_to(d.shared_bytes_per_block_optin);
  json.at("shared_reserved_bytes").get_to(d.shared_reserved_bytes);
  json.at("copy_gb_s").get_to(d.copy_gb_s);
  json.at("read_gb_s").get_to(d.read_gb_s);
  json.at("launch_us").get_to(d.launch_us);
  json.at("shared_latency_cycles").get_to(d.shared_latency_cycles);
  json.at("l1_latency_cycles").get_to(d.l1_latency_cycles);
  json.at("l2_latency_cycles").get_to(d.l2_latency_cycles);
  json.at("dram_latency_cycles").get_to(d.dram_latency_cycles);
  d.clock_mhz = json.value("clock_mhz", 0);
  d.throttled = json.value("throttled", std::vector<std::string>());
  return d;
}

const CounterValue* CounterReading::find(std::string_view name) const {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const CounterValue& value) { return value.name == name; });
  return found == values.end() ? nullptr : &*found;
}

}  // namespace warpshop::device
