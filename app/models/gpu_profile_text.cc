// A profile's numbers as text: one by one, and as a file.
#include <iomanip>
#include <sstream>
#include <type_traits>

#include "core/toml_string.h"
#include "gpu_profile_fields.h"

namespace warpshop::models {
namespace {

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

std::string toml_of(const std::string& word) { return toml_string(word); }
std::string toml_of(const std::vector<uint32_t>& list) { return "[" + text_of(list) + "]"; }
template <typename T>
std::string toml_of(const T& value) {
  return text_of(value);
}

}  // namespace

std::vector<ProfileNumber> profile_numbers(const GpuProfile& profile) {
  std::vector<ProfileNumber> numbers;
  for (const ProfileField& field : profile_fields()) {
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

std::string gpu_profile_toml(const GpuProfile& profile,
                             const std::map<std::string, std::string>& keys) {
  std::map<std::string, std::string> used;  // title by key
  std::map<std::string, std::string> key_of;
  std::string out = "format = " + std::to_string(kProfileFormat) +
                    "\nid = " + toml_string(profile.id) + "\nname = " + toml_string(profile.name) +
                    "\ncompute_capability = \"" + std::to_string(profile.capability.major) + "." +
                    std::to_string(profile.capability.minor) +
                    "\"\nyear = " + std::to_string(profile.year) + "\n";
  std::string_view section;
  for (const ProfileField& field : profile_fields()) {
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
           ", source = " + toml_string(key) + ", confidence = " + toml_string(origin.confidence) +
           (origin.note.empty() ? "" : ", note = " + toml_string(origin.note)) + " }\n";
  }
  out += "\n[sources]\n";
  for (const auto& [key, title] : used) out += key + " = " + toml_string(title) + "\n";
  return out;
}

}  // namespace warpshop::models
