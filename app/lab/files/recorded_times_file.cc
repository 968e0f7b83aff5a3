#include "files/recorded_times_file.h"

#include <toml++/toml.h>

#include "core/beneath.h"
#include "files/toml_table.h"

namespace warpshop::lab {
namespace {

class TimeReader {
 public:
  TimeReader(const toml::table& raw, const Lab& lab, const std::string& file, Diagnostics& problems)
      : lab_(lab), file_(file), problems_(problems), table_(raw, "the time", file, problems) {}

  RecordedTime read() {
    const Placed<std::string> step = table_.text("step");
    time_.step = step.value;
    if (const Step* found = lab_.find_step(step.value);
        !step.value.empty() && (found == nullptr || !found->exercise)) {
      table_.error(step.place, "'" + step.value + "' is no exercise of this lab");
    }
    const Placed<std::string> kernel = table_.text("kernel");
    time_.kernel = kernel.value;
    if (!kernel.value.empty() && kernel.value != "start" && kernel.value != "solution" &&
        kernel.value != "reference") {
      table_.error(kernel.place,
                   "\"" + kernel.value + R"(" is none of "start", "solution", "reference")");
    }
    time_.text = table_.text("text").value;
    read_size();
    time_.warm_us = microseconds("warm_us");
    if (table_.has("cold_us")) time_.cold_us = microseconds("cold_us");
    time_.spread_us = table_.optional_number("spread_us").value_or(0);
    time_.empty_us = microseconds("empty_us");
    table_.finish();
    return std::move(time_);
  }

 private:
  void read_size() {
    const toml::table* size = table_.optional_table("size");
    if (size == nullptr) {
      if (!table_.has("size"))
        table_.error(table_.place(), "the time has no size", "size = { n = 1048576 }, say");
      return;
    }
    TomlTable variables(*size, "the size", file_, problems_);
    for (const auto& [name, value] : *size)
      time_.size[std::string(name.str())] = variables.whole(name.str());
  }
  double microseconds(std::string_view key) {
    const std::optional<double> value = table_.optional_number(key);
    if (value && *value > 0) return *value;
    if (value || !table_.has(key)) {
      table_.error(table_.has(key) ? table_.place_of_key(key) : table_.place(),
                   "'" + std::string(key) + "' must be microseconds above 0");
    }
    return 0;
  }

  const Lab& lab_;
  const std::string& file_;
  Diagnostics& problems_;
  TomlTable table_;
  RecordedTime time_;
};

}  // namespace

std::vector<RecordedTimes> read_recorded_times(const Lab& lab, Diagnostics& problems) {
  const std::string file = (lab.folder / "times.toml").string();
  std::error_code missing;
  if (!std::filesystem::exists(file, missing)) return {};
  Result<std::string> text = read_file_beneath(lab.folder, "times.toml");
  if (!text.ok()) {
    problems.insert(problems.end(), text.errors().begin(), text.errors().end());
    return {};
  }
  std::vector<RecordedTimes> out;
  const Result<toml::table> raw = parse_toml(*text, file);
  if (!raw.ok()) {
    problems.insert(problems.end(), raw.errors().begin(), raw.errors().end());
    return out;
  }
  TomlTable table(*raw, "the list of times", file, problems);
  for (const toml::table* gpu : table.tables("gpu", true)) {
    TomlTable of_gpu(*gpu, "the GPU", file, problems);
    RecordedTimes& times = out.emplace_back();
    times.gpu = of_gpu.text("profile").value;
    times.name = of_gpu.text("name").value;
    times.driver = of_gpu.text("driver").value;
    for (const toml::table* time : of_gpu.tables("times", true)) {
      times.times.push_back(TimeReader(*time, lab, file, problems).read());
    }
    of_gpu.finish();
  }
  table.finish();
  return out;
}

Recorded find_recorded(const Lab& lab, std::string_view gpu, std::string_view step,
                       std::string_view text, const std::map<std::string, int64_t>& size) {
  for (const RecordedTimes& times : lab.recorded_times) {
    if (times.gpu != gpu) continue;
    for (const RecordedTime& time : times.times) {
      if (time.step == step && time.size == size && time.text == text) return {&times, &time};
    }
  }
  return {};
}

}  // namespace warpshop::lab
