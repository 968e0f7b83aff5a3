#include "models/gpu_profile.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iomanip>
#include <set>
#include <sstream>
#include <variant>

#include "core/files.h"
#include "core/nesting.h"

namespace warpshop::models {
namespace {

constexpr DiagnosticKind kKind = "gpu-profile";
constexpr int kFormat = 1;
constexpr std::array<std::string_view, 6> kConfidences = {"read",      "derived",  "measured",
                                                          "simulator", "recalled", "assumed"};

// Where a value is stored. The member's type determines what the file must contain.
using Member =
    std::variant<int GpuProfile::*, uint32_t GpuProfile::*, double GpuProfile::*,
                 std::optional<int> GpuProfile::*, std::optional<uint32_t> GpuProfile::*,
                 std::optional<uint64_t> GpuProfile::*, std::optional<double> GpuProfile::*,
                 std::vector<uint32_t> GpuProfile::*, std::string GpuProfile::*,
                 std::optional<bool> GpuProfile::*>;

struct Field {
  std::string_view section;
  std::string_view key;
  Member member;
  bool required;
  double low;  // inclusive bounds; not for text
  double high;
  std::string_view unit = "";   // "MHz", "byte", …; empty: a bare count or a word
  std::string_view words = "";  // allowed words of a text: "linear hashed"; empty: any
};

constexpr double kGiga = 1e9;
// Memory types on boards of the supported generations.
constexpr std::string_view kMemoryTypes =
    "DDR DDR2 DDR3 GDDR3 GDDR4 GDDR5 GDDR5X GDDR6 GDDR6X HBM2 HBM2e HBM3 HBM3e";

// One row per number in a profile: section, key (the member's name), member, required, range.
const std::vector<Field>& fields() {
  using P = GpuProfile;
  // clang-format off
  static const std::vector<Field> rows = {
      {"chip", "sm_count",                     &P::sm_count,                     true,  1, 1024, "SM"},
      {"chip", "sm_clock_mhz",                 &P::sm_clock_mhz,                 true,  100, 10000, "MHz"},
      {"chip", "memory_type",                  &P::memory_type,                  false, 0, 0, "", kMemoryTypes},
      {"chip", "memory_clock_mhz",             &P::memory_clock_mhz,             false, 100, 20000, "MHz"},
      {"chip", "data_rate_gbps",               &P::data_rate_gbps,               false, 0.1, 100, "Gbit/s a pin"},
      {"chip", "memory_bus_bits",              &P::memory_bus_bits,              false, 32, 65536, "bit"},
      {"chip", "memory_bandwidth_gb_s",        &P::memory_bandwidth_gb_s,        true,  1, 100000, "GB/s"},
      {"chip", "copy_bandwidth_gb_s",          &P::copy_bandwidth_gb_s,          false, 1, 100000, "GB/s"},
      {"chip", "l2_bytes",                     &P::l2_bytes,                     false, 0, kGiga, "byte"},
      {"sm",   "max_warps_per_sm",             &P::max_warps_per_sm,             true,  1, 256, "warp"},
      {"sm",   "max_blocks_per_sm",            &P::max_blocks_per_sm,            true,  1, 256, "block"},
      {"sm",   "max_threads_per_block",        &P::max_threads_per_block,        true,  32, 4096, "thread"},
      {"sm",   "registers_per_sm",             &P::registers_per_sm,             true,  1, kGiga, "register"},
      {"sm",   "registers_per_block",          &P::registers_per_block,          true,  1, kGiga, "register"},
      {"sm",   "max_registers_per_thread",     &P::max_registers_per_thread,     true,  1, 1024, "register"},
      {"sm",   "register_unit",                &P::register_unit,                true,  1, 65536, "register"},
      {"sm",   "warp_granularity",             &P::warp_granularity,             true,  1, 64, "warp"},
      {"sm",   "shared_bytes_per_sm",          &P::shared_bytes_per_sm,          true,  1, kGiga, "byte"},
      {"sm",   "shared_bytes_per_block",       &P::shared_bytes_per_block,       true,  1, kGiga, "byte"},
      {"sm",   "shared_bytes_per_block_optin", &P::shared_bytes_per_block_optin, false, 1, kGiga, "byte"},
      {"sm",   "shared_unit_bytes",            &P::shared_unit_bytes,            true,  1, 65536, "byte"},
      {"sm",   "shared_reserved_bytes",        &P::shared_reserved_bytes,        false, 0, 65536, "byte"},
      {"sm",   "shared_carveouts_bytes",       &P::shared_carveouts_bytes,       false, 0, kGiga, "byte"},
      {"memory", "sector_bytes",               &P::sector_bytes,                 false, 1, 4096, "byte"},
      {"memory", "line_bytes",                 &P::line_bytes,                   false, 1, 4096, "byte"},
      {"memory", "l1_caches_loads",            &P::l1_caches_loads,              false, 0, 0},
      {"memory", "shared_banks",               &P::shared_banks,                 false, 1, 1024, "bank"},
      {"memory", "bank_bytes",                 &P::bank_bytes,                   false, 1, 64, "byte"},
      {"memory", "partition_count",            &P::partition_count,              false, 1, 4096, "partition"},
      {"memory", "partition_bytes",            &P::partition_bytes,              false, 1, 1 << 20, "byte"},
      {"memory", "partition_mapping",          &P::partition_mapping,            false, 0, 0, "", "linear hashed"},
      {"memory", "channel_bits",               &P::channel_bits,                 false, 1, 4096, "bit"},
      {"memory", "burst_bytes",                &P::burst_bytes,                  false, 1, 4096, "byte"},
      {"memory", "dram_banks",                 &P::dram_banks,                   false, 1, 1024, "bank"},
      {"memory", "dram_row_bytes",             &P::dram_row_bytes,               false, 64, 1 << 20, "byte"},
      {"timing", "launch_us",                  &P::launch_us,                    false, 0, 1000, "us"},
      {"timing", "block_starts_per_us",        &P::block_starts_per_us,          false, 0.1, 100000, "block/us"},
      {"timing", "block_refill_cycles",        &P::block_refill_cycles,          false, 0, 100000, "cycle"},
      {"timing", "barrier_cycles",             &P::barrier_cycles,               false, 0, 1000, "cycle"},
      {"timing", "barrier_warp_cycles",        &P::barrier_warp_cycles,          false, 0, 1000, "cycle"},
      {"timing", "shared_latency_cycles",      &P::shared_latency_cycles,        false, 1, 1000, "cycle"},
      {"timing", "l1_latency_cycles",          &P::l1_latency_cycles,            false, 1, 10000, "cycle"},
      {"timing", "l2_latency_cycles",          &P::l2_latency_cycles,            false, 1, 10000, "cycle"},
      {"timing", "dram_latency_cycles",        &P::dram_latency_cycles,          false, 1, 10000, "cycle"},
      {"timing", "l1_bytes",                   &P::l1_bytes,                     false, 0, kGiga, "byte"},
      {"timing", "l2_keeps_bytes",             &P::l2_keeps_bytes,               false, 0, kGiga, "byte"},
      {"timing", "l2_forgets_bytes",           &P::l2_forgets_bytes,             false, 0, kGiga, "byte"},
      {"timing", "l2_clock_mhz",               &P::l2_clock_mhz,                 false, 100, 10000, "MHz"},
      {"timing", "l2_read_cycles",             &P::l2_read_cycles,               false, 0, 1000, "L2 cycle"},
      {"timing", "l2_read_sector_cycles",      &P::l2_read_sector_cycles,        false, 0, 1000, "L2 cycle"},
      {"timing", "l2_write_cycles",            &P::l2_write_cycles,              false, 0, 1000, "L2 cycle"},
      {"timing", "l2_write_sector_cycles",     &P::l2_write_sector_cycles,       false, 0, 1000, "L2 cycle"},
      {"timing", "l2_partial_write_cycles",    &P::l2_partial_write_cycles,      false, 0, 1000, "L2 cycle"},
      {"timing", "l2_partial_write_sector_cycles", &P::l2_partial_write_sector_cycles, false, 0, 1000, "L2 cycle"},
      {"timing", "l2_atomic_cycles",           &P::l2_atomic_cycles,             false, 0, 1000, "L2 cycle"},
      {"timing", "l2_atomic_request_cycles",   &P::l2_atomic_request_cycles,     false, 0, 1000, "L2 cycle"},
      {"timing", "l2_atomic_returned_cycles",  &P::l2_atomic_returned_cycles,    false, 0, 1000, "L2 cycle"},
      {"timing", "l2_atomic_whole_cycles",     &P::l2_atomic_whole_cycles,       false, 0, 1000, "L2 cycle"},
      {"timing", "dram_mixed_pct",             &P::dram_mixed_pct,               false, 0, 1000, "%"},
      {"timing", "dram_write_wait_cycles",     &P::dram_write_wait_cycles,       false, 0, 100000, "cycle"},
      {"timing", "dram_gb_s",                  &P::dram_gb_s,                    false, 1, 100000, "GB/s"},
      {"timing", "dram_sparse_read_pct",       &P::dram_sparse_read_pct,         false, 1, 10000, "%"},
      {"timing", "dram_sparse_write_pct",      &P::dram_sparse_write_pct,        false, 1, 10000, "%"},
      {"timing", "schedulers",                 &P::schedulers,                   false, 1, 16, "scheduler"},
      {"timing", "issue_width",                &P::issue_width,                  false, 1, 4, "instruction"},
      {"timing", "issue_cycles",               &P::issue_cycles,                 false, 0.25, 64, "cycle"},
      {"timing", "alu_latency_cycles",         &P::alu_latency_cycles,           false, 1, 1000, "cycle"},
      {"timing", "special_latency_cycles",     &P::special_latency_cycles,       false, 1, 1000, "cycle"},
      {"timing", "fp64_latency_cycles",        &P::fp64_latency_cycles,          false, 1, 1000, "cycle"},
      {"timing", "fp32_lanes",                 &P::fp32_lanes,                   false, 0.1, 1024, "lane/cycle"},
      {"timing", "int_lanes",                  &P::int_lanes,                    false, 0.1, 1024, "lane/cycle"},
      {"timing", "mul_lanes",                  &P::mul_lanes,                    false, 0.1, 1024, "lane/cycle"},
      {"timing", "shift_lanes",                &P::shift_lanes,                  false, 0.1, 1024, "lane/cycle"},
      {"timing", "fp64_lanes",                 &P::fp64_lanes,                   false, 0.1, 1024, "lane/cycle"},
      {"timing", "special_lanes",              &P::special_lanes,                false, 0.1, 1024, "lane/cycle"},
      {"timing", "convert_lanes",              &P::convert_lanes,                false, 0.1, 1024, "lane/cycle"},
      {"timing", "texture_lanes",              &P::texture_lanes,                false, 0.1, 1024, "lane/cycle"},
      {"timing", "texture_latency_cycles",     &P::texture_latency_cycles,       false, 1, 10000, "cycle"},
      {"timing", "texture_l2_latency_cycles",  &P::texture_l2_latency_cycles,    false, 1, 10000, "cycle"},
      {"timing", "texture_dram_latency_cycles", &P::texture_dram_latency_cycles, false, 1, 10000, "cycle"},
      {"timing", "texture_l1_bytes",           &P::texture_l1_bytes,             false, 512, 1 << 20, "byte"},
      {"timing", "texture_l1_ways",            &P::texture_l1_ways,              false, 1, 1024, "way"},
      {"timing", "texture_l1_line_bytes",      &P::texture_l1_line_bytes,        false, 32, 256, "byte"},
      {"timing", "texture_l2_bytes",           &P::texture_l2_bytes,             false, 4096, 1 << 24, "byte"},
      {"timing", "texture_l2_ways",            &P::texture_l2_ways,              false, 1, 1024, "way"},
      {"timing", "texture_l2_line_bytes",      &P::texture_l2_line_bytes,        false, 32, 256, "byte"},
      {"timing", "shared_pass_cycles",         &P::shared_pass_cycles,           false, 0.25, 64, "cycle"},
      {"timing", "shared_operand_cycles",      &P::shared_operand_cycles,        false, 1, 64, "cycle"},
      {"timing", "memory_pipe_cycles",         &P::memory_pipe_cycles,           false, 0.25, 64, "cycle"},
      {"timing", "dram_row_read_ns",           &P::dram_row_read_ns,             false, 0, 1000, "ns"},
      {"timing", "dram_row_write_ns",           &P::dram_row_write_ns,             false, 0, 1000, "ns"},
      {"timing", "dram_queue_requests",        &P::dram_queue_requests,          false, 1, 4096, "request"},
  };
  // clang-format on
  return rows;
}

std::string text_of(double value) {
  std::ostringstream out;
  out << std::setprecision(10) << value;
  return out.str();
}
std::string text_of(const std::string& value) { return value; }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(const std::vector<uint32_t>& values) {
  std::string text;
  for (const uint32_t value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}
template <typename T>
requires std::is_integral_v<T> std::string text_of(T value) { return std::to_string(value); }
template <typename T>
std::string text_of(const std::optional<T>& value) {
  return value ? text_of(*value) : "";
}

bool has_word(std::string_view words, std::string_view word) {
  std::istringstream in{std::string(words)};
  for (std::string known; in >> known;) {
    if (known == word) return true;
  }
  return false;
}

// Reads one file and collects all mistakes instead of stopping at the first.
class Reader {
 public:
  Reader(const std::filesystem::path& file, const toml::table& root) : file_(file), root_(root) {}

  Result<GpuProfile> read() {
    read_head();
    read_source_titles();
    for (const Field& field : fields()) read_field(field);
    refuse_unknown_keys();
    if (errors_.empty()) check_consistency();
    if (!errors_.empty()) return errors_;
    return profile_;
  }

 private:
  void fail(const toml::node* at, std::string message, std::string help = {}) {
    SourcePlace place{.file = file_.string()};
    if (at != nullptr) {
      place.line = static_cast<int>(at->source().begin.line);
      place.column = static_cast<int>(at->source().begin.column);
    }
    errors_.push_back(make_error_at(place, kKind, std::move(message), std::move(help)));
  }

  void read_head() {
    if (const auto format = whole_number("format"); format && *format != kFormat) {
      fail(root_.get("format"), "format " + std::to_string(*format) +
                                    "; this program reads format " + std::to_string(kFormat));
    }
    profile_.id = text("id");
    profile_.name = text("name");
    profile_.year = static_cast<int>(whole_number("year").value_or(0));
    if (!profile_.id.empty() && profile_.id != file_.stem().string()) {
      fail(root_.get("id"), "id \"" + profile_.id + "\" does not match the file's name",
           "name the file " + profile_.id + ".toml");
    }
    const std::string capability = text("compute_capability");
    int used = 0;
    if (!capability.empty() &&
        (std::sscanf(capability.c_str(), "%d.%d%n", &profile_.capability.major,  // NOLINT
                     &profile_.capability.minor, &used) != 2 ||
         static_cast<size_t>(used) != capability.size())) {
      fail(root_.get("compute_capability"), "\"" + capability + "\" is not a compute capability",
           "write it as \"9.0\"");
    }
  }

  std::string text(std::string_view key) {
    const toml::node* node = root_.get(key);
    if (node == nullptr) {
      fail(nullptr, "the key " + std::string(key) + " (a text) is missing");
      return {};
    }
    const auto value = node->value_exact<std::string>();
    if (!value || value->empty()) {
      fail(node, std::string(key) + " must be a text that is not empty");
      return {};
    }
    return *value;
  }

  std::optional<int64_t> whole_number(std::string_view key) {
    const toml::node* node = root_.get(key);
    if (node == nullptr) {
      fail(nullptr, "the key " + std::string(key) + " (a whole number) is missing");
      return {};
    }
    const auto value = node->value_exact<int64_t>();
    if (!value) fail(node, std::string(key) + " must be a whole number");
    return value;
  }

  // [sources] KEY = "title": the values that a field's `source` refers to.
  void read_source_titles() {
    const toml::node* node = root_.get("sources");
    const toml::table* table = node == nullptr ? nullptr : node->as_table();
    if (table == nullptr) {
      fail(node, "the table [sources] (KEY = \"title of the source\") is missing");
      return;
    }
    for (const auto& [key, value] : *table) {
      const auto title = value.value_exact<std::string>();
      if (!title || title->empty()) {
        fail(&value, "the title of source " + std::string(key.str()) + " must be a text");
        continue;
      }
      titles_[std::string(key.str())] = *title;
    }
  }

  void read_field(const Field& field) {
    const toml::table* section = root_[field.section].as_table();
    const toml::node* node = section == nullptr ? nullptr : section->get(field.key);
    const std::string name = std::string(field.section) + "." + std::string(field.key);
    if (node == nullptr) {
      if (field.required) {
        fail(section, name + " is missing",
             "add " + std::string(field.key) +
                 " = { value = …, source = \"…\", confidence = \"…\" }");
      }
      return;
    }
    const toml::table* entry = node->as_table();
    if (entry == nullptr) {
      fail(node, name + " must be { value = …, source = \"…\", confidence = \"…\" }",
           "every number needs a source");
      return;
    }
    for (const auto& [key, value] : *entry) {
      static const std::set<std::string_view> kKnown = {"value", "source", "confidence", "note"};
      if (!kKnown.contains(key.str())) {
        fail(&value, "unknown key " + std::string(key.str()) + " in " + name,
             "allowed are value, source, confidence and note");
      }
    }
    read_provenance(field, name, *entry);
    const toml::node* value = entry->get("value");
    if (value == nullptr) {
      fail(node, name + " has no value", "leave the key out when the number is unknown");
      return;
    }
    std::visit([&](auto member) { store(field, name, *value, member); }, field.member);
  }

  void read_provenance(const Field& field, const std::string& name, const toml::table& entry) {
    Sourced sourced;
    const toml::node* source = entry.get("source");
    std::vector<std::string> keys;
    if (const toml::array* list = source == nullptr ? nullptr : source->as_array()) {
      for (const toml::node& item : *list) keys.push_back(item.value_or(std::string()));
    } else if (source != nullptr) {
      keys.push_back(source->value_or(std::string()));
    }
    if (keys.empty()) fail(&entry, name + " has no source", "name a key of [sources]");
    for (const std::string& key : keys) {
      const auto title = titles_.find(key);
      if (title == titles_.end()) {
        fail(source, name + " names the source \"" + key + "\", which [sources] does not have");
        continue;
      }
      used_titles_.insert(key);
      sourced.source += (sourced.source.empty() ? "" : "; ") + title->second;
    }
    const toml::node* confidence = entry.get("confidence");
    sourced.confidence = confidence == nullptr ? "" : confidence->value_or(std::string());
    if (std::find(kConfidences.begin(), kConfidences.end(), sourced.confidence) ==
        kConfidences.end()) {
      fail(confidence == nullptr ? &entry : confidence,
           name + " needs a confidence: read, derived, measured, simulator, recalled or assumed");
    }
    sourced.note = entry["note"].value_or(std::string());
    sourced.line = static_cast<int>(entry.source().begin.line);
    profile_.sources[std::string(field.key)] = sourced;
  }

  std::optional<double> number_in_range(const Field& field, const std::string& name,
                                        const toml::node& node, bool whole) {
    const std::optional<double> value =
        whole ? (node.is_integer() ? node.value<double>() : std::nullopt) : node.value<double>();
    if (!value || !(node.is_integer() || node.is_floating_point())) {
      fail(&node, name + " must be a " + (whole ? "whole number" : "number"));
      return {};
    }
    if (*value < field.low || *value > field.high) {
      std::ostringstream message;
      message << name << " is " << *value << ", outside the range " << field.low << " to "
              << field.high;
      fail(&node, message.str());
      return {};
    }
    return value;
  }

  template <typename T>
  void store(const Field& field, const std::string& name, const toml::node& node,
             T GpuProfile::*member) {
    if (const auto v = number_in_range(field, name, node, std::is_integral_v<T>)) {
      profile_.*member = static_cast<T>(*v);
    }
  }
  template <typename T>
  void store(const Field& field, const std::string& name, const toml::node& node,
             std::optional<T> GpuProfile::*member) {
    if (const auto v = number_in_range(field, name, node, std::is_integral_v<T>)) {
      profile_.*member = static_cast<T>(*v);
    }
  }
  void store(const Field& field, const std::string& name, const toml::node& node,
             std::vector<uint32_t> GpuProfile::*member) {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) {
      fail(&node, name + " must be a list of whole numbers");
      return;
    }
    std::vector<uint32_t> values;
    for (const toml::node& item : *list) {
      const auto v = number_in_range(field, name, item, true);
      if (!v) return;
      if (!values.empty() && *v <= values.back()) {
        fail(&item, name + " must be in ascending order");
        return;
      }
      values.push_back(static_cast<uint32_t>(*v));
    }
    profile_.*member = values;
  }
  void store(const Field& field, const std::string& name, const toml::node& node,
             std::string GpuProfile::*member) {
    const auto value = node.value_exact<std::string>();
    if (!value || value->empty()) {
      fail(&node, name + " must be a text that is not empty");
      return;
    }
    if (!field.words.empty() && !has_word(field.words, *value)) {
      fail(&node, name + " is \"" + *value + "\"", "known are " + std::string(field.words));
      return;
    }
    profile_.*member = *value;
  }
  void store(const Field& /*field*/, const std::string& name, const toml::node& node,
             std::optional<bool> GpuProfile::*member) {
    const auto value = node.value_exact<bool>();
    if (!value) fail(&node, name + " must be true or false");
    profile_.*member = value;
  }

  void refuse_unknown_keys() {
    static const std::set<std::string_view> kHead = {
        "format", "id", "name", "compute_capability", "year", "sources"};
    for (const auto& [key, node] : root_) {
      if (kHead.contains(key.str())) continue;
      const std::string_view section = key.str();
      const bool is_section = std::any_of(fields().begin(), fields().end(),
                                          [&](const Field& f) { return f.section == section; });
      if (!is_section || !node.is_table()) {
        fail(&node, "unknown key " + std::string(key.str()),
             "known sections: sources, chip, sm, memory");
        continue;
      }
      for (const auto& [name, value] : *node.as_table()) {
        const std::string_view field = name.str();
        const bool known = std::any_of(fields().begin(), fields().end(), [&](const Field& f) {
          return f.section == section && f.key == field;
        });
        if (!known) {
          fail(&value,
               "unknown key " + std::string(name.str()) + " in [" + std::string(key.str()) + "]");
        }
      }
    }
    for (const auto& [key, title] : titles_) {
      if (!used_titles_.contains(key) && errors_.empty()) {
        fail(root_["sources"].as_table()->get(key), "source " + key + " is not used by any number");
      }
    }
  }

  void check_consistency() {
    const GpuProfile& p = profile_;
    if (p.shared_bytes_per_block > p.shared_bytes_per_sm) {
      fail(root_["sm"].as_table()->get("shared_bytes_per_block"),
           "a block's shared memory is larger than the SM's");
    }
    if (p.registers_per_block > p.registers_per_sm) {
      fail(root_["sm"].as_table()->get("registers_per_block"),
           "a block's registers are more than the SM's");
    }
    if (!p.shared_carveouts_bytes.empty() &&
        p.shared_carveouts_bytes.back() != p.shared_bytes_per_sm) {
      fail(root_["sm"].as_table()->get("shared_carveouts_bytes"),
           "the largest carveout must be shared_bytes_per_sm");
    }
  }

  std::filesystem::path file_;
  const toml::table& root_;
  GpuProfile profile_;
  std::map<std::string, std::string> titles_;
  std::set<std::string> used_titles_;
  Diagnostics errors_;
};

}  // namespace

std::vector<ProfileNumber> profile_numbers(const GpuProfile& profile) {
  std::vector<ProfileNumber> numbers;
  for (const Field& field : fields()) {
    ProfileNumber number{.section = field.section, .key = field.key, .unit = field.unit};
    const auto sourced = profile.sources.find(std::string(field.key));
    if (sourced != profile.sources.end()) {
      number.origin = sourced->second;
      number.text = std::visit([&](auto member) { return text_of(profile.*member); }, field.member);
    }
    numbers.push_back(std::move(number));
  }
  return numbers;
}

namespace {

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out + "\"";
}

std::string toml_of(const std::string& word) { return in_quotes(word); }
std::string toml_of(const std::vector<uint32_t>& list) { return "[" + text_of(list) + "]"; }
template <typename T>
std::string toml_of(const T& value) {
  return text_of(value);
}

}  // namespace

std::string gpu_profile_toml(const GpuProfile& profile,
                             const std::map<std::string, std::string>& keys) {
  std::map<std::string, std::string> used;  // title by key
  std::map<std::string, std::string> key_of;
  std::string out = "format = " + std::to_string(kFormat) + "\nid = " + in_quotes(profile.id) +
                    "\nname = " + in_quotes(profile.name) + "\ncompute_capability = \"" +
                    std::to_string(profile.capability.major) + "." +
                    std::to_string(profile.capability.minor) +
                    "\"\nyear = " + std::to_string(profile.year) + "\n";
  std::string_view section;
  for (const Field& field : fields()) {
    const auto sourced = profile.sources.find(std::string(field.key));
    if (sourced == profile.sources.end()) continue;
    if (section != field.section) {
      section = field.section;
      out += "\n[" + std::string(section) + "]\n";
    }
    const Sourced& origin = sourced->second;
    std::string& key = key_of[origin.source];
    if (key.empty()) {
      const auto named = keys.find(origin.source);
      key = named != keys.end() ? named->second : "S" + std::to_string(used.size() + 1);
      used[key] = origin.source;
    }
    out += std::string(field.key) + " = { value = " +
           std::visit([&](auto member) { return toml_of(profile.*member); }, field.member) +
           ", source = " + in_quotes(key) + ", confidence = " + in_quotes(origin.confidence) +
           (origin.note.empty() ? "" : ", note = " + in_quotes(origin.note)) + " }\n";
  }
  out += "\n[sources]\n";
  for (const auto& [key, title] : used) out += key + " = " + in_quotes(title) + "\n";
  return out;
}

Result<GpuProfile> load_gpu_profile(const std::filesystem::path& file) {
  const Result<std::string> content = read_file(file);
  if (!content.ok()) return content.errors();
  if (std::optional<Diagnostic> problem = toml_nests_too_deep(*content, file.string(), kKind)) {
    return std::move(*problem);
  }
  try {
    const toml::table root = toml::parse(*content, file.string());
    return Reader(file, root).read();
  } catch (const toml::parse_error& error) {
    const SourcePlace place{.file = file.string(),
                            .line = static_cast<int>(error.source().begin.line),
                            .column = static_cast<int>(error.source().begin.column)};
    return make_error_at(place, kKind, std::string(error.description()));
  }
}

namespace {

// assets/gpus/*.toml. Error: the folder is missing or empty.
Result<std::vector<std::filesystem::path>> profile_files(const std::filesystem::path& data_dir) {
  const std::filesystem::path folder = data_dir / "assets" / "gpus";
  std::vector<std::filesystem::path> files;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  if (problem) {
    return make_error_at({.file = folder.string()}, kKind,
                         "cannot read the folder of GPU profiles: " + problem.message());
  }
  if (files.empty()) {
    return make_error_at({.file = folder.string()}, kKind, "there is no GPU profile (*.toml)");
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<std::vector<GpuProfile>> load_gpu_profiles(const std::filesystem::path& data_dir,
                                                  Diagnostics* unreadable) {
  const Result<std::vector<std::filesystem::path>> files = profile_files(data_dir);
  if (!files.ok()) return files.errors();
  std::vector<GpuProfile> profiles;
  Diagnostics errors;
  for (const std::filesystem::path& file : *files) {
    Result<GpuProfile> profile = load_gpu_profile(file);
    if (profile.ok()) {
      profiles.push_back(std::move(profile).value());
    } else {
      errors.insert(errors.end(), profile.errors().begin(), profile.errors().end());
    }
  }
  if (profiles.empty()) return errors;
  if (unreadable != nullptr) unreadable->insert(unreadable->end(), errors.begin(), errors.end());
  std::sort(profiles.begin(), profiles.end(), [](const GpuProfile& a, const GpuProfile& b) {
    return std::tie(a.year, a.name) < std::tie(b.year, b.name);
  });
  return profiles;
}

Result<GpuProfile> find_gpu_profile(const std::filesystem::path& data_dir, std::string_view id) {
  if (id.ends_with(".toml")) return load_gpu_profile(std::filesystem::path(id));
  const Result<std::vector<std::filesystem::path>> files = profile_files(data_dir);
  if (!files.ok()) return files.errors();
  for (const std::filesystem::path& file : *files) {
    if (file.stem().string() == id) return load_gpu_profile(file);
  }
  std::string known;
  if (const Result<std::vector<GpuProfile>> profiles = load_gpu_profiles(data_dir); profiles.ok()) {
    for (const GpuProfile& profile : *profiles) known += (known.empty() ? "" : ", ") + profile.id;
  }
  return make_error("usage", "there is no GPU \"" + std::string(id) + "\"", "known are " + known);
}

}  // namespace warpshop::models
