#include "models/gpu_profile.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "core/files.h"
#include "core/nesting.h"
#include "derived_timing.h"
#include "gpu_profile_fields.h"

namespace warpshop::models {
namespace {

constexpr DiagnosticKind kKind = "gpu-profile";
constexpr std::array<std::string_view, 6> kConfidences = {"read",      "derived",  "measured",
                                                          "simulator", "recalled", "assumed"};

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
    for (const ProfileField& field : profile_fields()) read_field(field);
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
    if (const auto format = whole_number("format"); format && *format != kProfileFormat) {
      fail(root_.get("format"), "format " + std::to_string(*format) +
                                    "; this program reads format " +
                                    std::to_string(kProfileFormat));
    }
    profile_.id = text("id");
    profile_.name = text("name");
    profile_.year = static_cast<int>(whole_number("year").value_or(0));
    if (!profile_.id.empty() && profile_.id != file_.stem().string()) {
      fail(root_.get("id"), "id \"" + profile_.id + "\" does not match the file's name",
           "name the file " + profile_.id + ".toml");
    }
    if (root_.contains("relative")) profile_.relative = text("relative");
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

  void read_field(const ProfileField& field) {
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

  void read_provenance(const ProfileField& field, const std::string& name,
                       const toml::table& entry) {
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

  std::optional<double> number_in_range(const ProfileField& field, const std::string& name,
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
  void store(const ProfileField& field, const std::string& name, const toml::node& node,
             T GpuProfile::*member) {
    if (const auto v = number_in_range(field, name, node, std::is_integral_v<T>)) {
      profile_.*member = static_cast<T>(*v);
    }
  }
  template <typename T>
  void store(const ProfileField& field, const std::string& name, const toml::node& node,
             std::optional<T> GpuProfile::*member) {
    if (const auto v = number_in_range(field, name, node, std::is_integral_v<T>)) {
      profile_.*member = static_cast<T>(*v);
    }
  }
  void store(const ProfileField& field, const std::string& name, const toml::node& node,
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
  void store(const ProfileField& field, const std::string& name, const toml::node& node,
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
  void store(const ProfileField& /*field*/, const std::string& name, const toml::node& node,
             std::optional<bool> GpuProfile::*member) {
    const auto value = node.value_exact<bool>();
    if (!value) fail(&node, name + " must be true or false");
    profile_.*member = value;
  }

  void refuse_unknown_keys() {
    static const std::set<std::string_view> kHead = {
        "format", "id", "name", "compute_capability", "year", "relative", "sources"};
    for (const auto& [key, node] : root_) {
      if (kHead.contains(key.str())) continue;
      const std::string_view section = key.str();
      const bool is_section =
          std::any_of(profile_fields().begin(), profile_fields().end(),
                      [&](const ProfileField& f) { return f.section == section; });
      if (!is_section || !node.is_table()) {
        fail(&node, "unknown key " + std::string(key.str()),
             "known sections: sources, chip, sm, memory, timing");
        continue;
      }
      for (const auto& [name, value] : *node.as_table()) {
        const std::string_view field = name.str();
        const bool known = std::any_of(
            profile_fields().begin(), profile_fields().end(),
            [&](const ProfileField& f) { return f.section == section && f.key == field; });
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

// Longer chains of relatives are a circle.
constexpr int kMostRelatives = 8;

Result<GpuProfile> load(const std::filesystem::path& file, int relatives_left) {
  const Result<std::string> content = read_file(file);
  if (!content.ok()) return content.errors();
  if (std::optional<Diagnostic> problem = toml_nests_too_deep(*content, file.string(), kKind)) {
    return std::move(*problem);
  }
  try {
    const toml::table root = toml::parse(*content, file.string());
    Result<GpuProfile> profile = Reader(file, root).read();
    if (!profile.ok() || profile->relative.empty()) return profile;
    const SourcePlace place{.file = file.string(),
                            .line = static_cast<int>(root.get("relative")->source().begin.line)};
    if (relatives_left == 0) {
      return make_error_at(place, kKind, "the relatives of " + profile->id + " form a circle");
    }
    const Result<GpuProfile> relative =
        load(file.parent_path() / (profile->relative + ".toml"), relatives_left - 1);
    if (!relative.ok()) {
      Diagnostics errors = relative.errors();
      errors.push_back(
          make_error_at(place, kKind, "the relative " + profile->relative + " cannot be read"));
      return errors;
    }
    derive_timing(*relative, *profile);
    return profile;
  } catch (const toml::parse_error& error) {
    const SourcePlace place{.file = file.string(),
                            .line = static_cast<int>(error.source().begin.line),
                            .column = static_cast<int>(error.source().begin.column)};
    return make_error_at(place, kKind, std::string(error.description()));
  }
}

}  // namespace

Result<GpuProfile> load_gpu_profile(const std::filesystem::path& file) {
  return load(file, kMostRelatives);
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
