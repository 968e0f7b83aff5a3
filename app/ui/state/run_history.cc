#include "state/run_history.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "core/json_text.h"
#include "core/lines.h"
#include "core/text_id.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

using nlohmann::json;

void put_prediction(const RunRecord& run, json& value) {
  if (!run.timed_size.empty()) value["timed_size"] = run.timed_size;
  if (run.predicted_us) value["predicted_us"] = *run.predicted_us;
  if (run.predicted_gb_s) value["predicted_gb_s"] = *run.predicted_gb_s;
  if (run.predicted_gflop_s) value["predicted_gflop_s"] = *run.predicted_gflop_s;
}

void take_prediction(const json& value, RunRecord& run) {
  const auto number = [&value](const char* key) -> std::optional<double> {
    const auto found = value.find(key);
    return found != value.end() && found->is_number() ? std::optional<double>(found->get<double>())
                                                      : std::nullopt;
  };
  run.timed_size = value.value("timed_size", "");
  run.predicted_us = number("predicted_us");
  run.predicted_gb_s = number("predicted_gb_s");
  run.predicted_gflop_s = number("predicted_gflop_s");
}

std::string line_of(const RunRecord& run, const std::string& replaces = {}) {
  json value = {{"id", run.id},
                {"text", run.text_id},
                {"at", run.at},
                {"gpu", run.gpu},
                {"passed", run.passed},
                {"correct", run.correct},
                {"counters", run.counters}};
  if (!run.size.empty()) value["size"] = run.size;
  put_prediction(run, value);
  if (run.measured_gb_s) value["measured_gb_s"] = *run.measured_gb_s;
  if (!replaces.empty()) value["replaces"] = replaces;
  return json_text(value) + "\n";
}

// Within one burst of typing, a version stands for less than this, and the next one differs from it
// in at most this many lines.
constexpr int64_t kBurstSeconds = 10;
constexpr size_t kBurstLines = 3;

std::optional<int64_t> seconds_of(const std::string& iso_utc) {
  std::tm utc{};
  if (!strptime(iso_utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &utc)) return std::nullopt;
  return static_cast<int64_t>(timegm(&utc));
}

// The lines from the first that differs to the last, in the longer of both texts.
size_t changed_lines(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> a = split_lines(before), b = split_lines(after);
  const size_t most = std::min(a.size(), b.size());
  size_t head = 0, tail = 0;
  while (head < most && a[head] == b[head]) ++head;
  while (head + tail < most && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  return std::max(a.size(), b.size()) - head - tail;
}

std::optional<RunRecord> record_of(const json& value) {
  try {
    RunRecord run;
    run.id = value.at("id").get<std::string>();
    run.text_id = value.at("text").get<std::string>();
    run.at = value.at("at").get<std::string>();
    run.gpu = value.at("gpu").get<std::string>();
    run.passed = value.value("passed", false);
    run.correct = value.value("correct", false);
    run.counters = value.at("counters").get<std::map<std::string, uint64_t>>();
    run.size = value.value("size", "");
    take_prediction(value, run);
    if (value.contains("measured_gb_s"))
      run.measured_gb_s = value.at("measured_gb_s").get<double>();
    // It becomes part of a path, so check it.
    const bool plain = std::all_of(run.text_id.begin(), run.text_id.end(), [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == '-';
    });
    if (!plain || run.text_id.empty()) return std::nullopt;
    return run;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::string size_key(const lab::ProblemSize& size) {
  std::string key;
  for (const auto& [name, value] : size.variables)
    key += (key.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return key;
}

uint64_t RunRecord::counter(std::string_view name) const {
  const auto found = counters.find(std::string(name));
  return found == counters.end() ? 0 : found->second;
}

void RunHistory::open(std::filesystem::path folder) {
  *this = {};
  folder_ = std::move(folder);
  const std::filesystem::path file = folder_ / "runs.jsonl";
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return;
  const Result<std::string> content = read_file(file);
  if (!content.ok()) {
    problem_ = content.errors();
    return;
  }
  // Skip lines that a crash has truncated or that are not ours.
  for (size_t at = 0; at < content->size();) {
    const size_t end = std::min(content->find('\n', at), content->size());
    const json line = json::parse(content->begin() + static_cast<ptrdiff_t>(at),
                                  content->begin() + static_cast<ptrdiff_t>(end), nullptr, false);
    at = end + 1;
    if (!line.is_object()) continue;
    if (const auto pinned = line.find("pinned"); pinned != line.end()) {
      if (pinned->is_string()) pinned_ = pinned->get<std::string>();
    } else if (const auto predicted = line.find("predicted"); predicted != line.end()) {
      const std::string id = predicted->is_string() ? predicted->get<std::string>() : "";
      for (RunRecord& run : runs_) {
        if (run.id == id) take_prediction(line, run);
      }
    } else if (std::optional<RunRecord> run = record_of(line)) {
      const auto replaced = line.find("replaces");
      if (replaced != line.end() && !runs_.empty() && runs_.back().id == run->id &&
          *replaced == runs_.back().text_id) {
        runs_.back() = std::move(*run);
        continue;
      }
      // Two windows open at once may have taken the same number.
      if (find(run->id)) run->id = next_id();
      runs_.push_back(std::move(*run));
    }
  }
  if (!content->empty() && !content->ends_with('\n')) problem_ = append("\n");
  if (runs_.size() > kMostRuns) forget_oldest();
}

// Keeps the baseline and the last version that passed.
void RunHistory::forget_oldest() {
  size_t gone = runs_.size() - kMostRuns;
  const auto pass =
      std::find_if(runs_.rbegin(), runs_.rend(), [](const RunRecord& run) { return run.passed; });
  const std::string last_pass = pass == runs_.rend() ? "" : pass->id;
  std::erase_if(runs_, [&](const RunRecord& run) {
    if (gone == 0 || run.id == pinned_ || run.id == last_pass) return false;
    --gone;
    return true;
  });
  std::string lines;
  for (const RunRecord& run : runs_) lines += line_of(run);
  if (!pinned_.empty()) lines += json::object({{"pinned", pinned_}}).dump() + "\n";
  problem_ = write_file_atomically(folder_ / "runs.jsonl", lines);
  if (!problem_.ok()) return;
  std::error_code error;
  std::vector<std::filesystem::path> unused;
  for (std::filesystem::directory_iterator at(folder_ / "texts", error), end; !error && at != end;
       at.increment(error)) {
    const std::string id = at->path().stem().string();
    if (std::none_of(runs_.begin(), runs_.end(),
                     [&](const RunRecord& run) { return run.text_id == id; })) {
      unused.push_back(at->path());
    }
  }
  for (const std::filesystem::path& path : unused) std::filesystem::remove(path, error);
}

std::string RunHistory::next_id() const {
  return std::to_string(runs_.empty() ? 1
                                      : std::strtoull(runs_.back().id.c_str(), nullptr, 10) + 1);
}

// Is `last` one of the states on the way to `next`, whose text is `text`?
bool RunHistory::is_half_typed(const RunRecord& last, const RunRecord& next,
                               const std::string& text) const {
  if (!typed_text_ || last.id == pinned_ || last.gpu != next.gpu || last.size != next.size ||
      last.measured_gb_s)
    return false;
  if (last.passed && !(next.passed && next.counters == last.counters)) return false;
  const std::optional<int64_t> from = seconds_of(last.at), to = seconds_of(next.at);
  return from && to && *to - *from < kBurstSeconds &&
         changed_lines(*typed_text_, text) <= kBurstLines;
}

const RunRecord* RunHistory::add(const lab::RunResult& result, const std::string& at, bool typing) {
  const lab::KernelRun* student = result.student();
  if (folder_.empty() || !student || !student->completed || result.stopped) return nullptr;
  RunRecord run;
  run.text_id = text_id(result.source);
  run.at = at;
  run.gpu = result.gpu.id;
  run.size = size_key(result.sizes.front().size);
  run.passed = result.passed;
  run.correct = std::all_of(result.sizes.begin(), result.sizes.end(),
                            [](const lab::SizeResult& size) { return size.correct; });
  for (const timing::CounterInfo& info : timing::counter_table()) {
    if (const uint64_t count = student->counters.*info.field; count > 0)
      run.counters[std::string(info.name)] = count;
  }
  if (const auto& measured = result.timed_size()->measured;
      measured && measured->student_gb_s > 0) {
    run.measured_gb_s = measured->student_gb_s;
  }
  if (!runs_.empty()) {
    const RunRecord& last = runs_.back();
    if (last.text_id == run.text_id && last.gpu == run.gpu && last.counters == run.counters &&
        last.size == run.size && !run.measured_gb_s) {
      if (!typing) typed_text_.reset();  // somebody wanted to see this version
      return nullptr;
    }
  }
  const bool replaces = typing && !runs_.empty() && is_half_typed(runs_.back(), run, result.source);
  run.id = replaces ? runs_.back().id : next_id();
  // Write the text first: a line that refers to it must find it.
  const std::filesystem::path text = folder_ / "texts" / (run.text_id + ".cu");
  std::error_code error;
  if (!std::filesystem::exists(text, error)) {
    problem_ = write_file_atomically(text, result.source);
    if (!problem_.ok()) return nullptr;
  }
  problem_ = append(line_of(run, replaces ? runs_.back().text_id : ""));
  if (replaces) runs_.pop_back();
  runs_.push_back(std::move(run));
  typed_text_.reset();
  if (typing) typed_text_ = result.source;
  return &runs_.back();
}

void RunHistory::add_prediction(const lab::RunResult& result) {
  const std::optional<lab::SizeResult>& size = result.timed;
  if (folder_.empty() || !size || !size->student.prediction) return;
  const std::string text = text_id(result.source);
  const auto run = std::find_if(runs_.rbegin(), runs_.rend(), [&](const RunRecord& r) {
    return r.text_id == text && r.gpu == result.gpu.id;
  });
  const double us = size->student.prediction->time_us;
  if (run == runs_.rend() ||
      (run->predicted_us && *run->predicted_us == us && run->timed_size == size_key(size->size)))
    return;
  run->predicted_us = us;
  run->timed_size = size_key(size->size);
  run->predicted_gb_s.reset();
  run->predicted_gflop_s.reset();
  if (us > 0 && size->useful_bytes > 0) run->predicted_gb_s = size->useful_bytes / us / 1e3;
  if (us > 0 && size->student.prediction->flop > 0)
    run->predicted_gflop_s = size->student.prediction->flop / us / 1e3;
  json line = {{"predicted", run->id}};
  put_prediction(*run, line);
  problem_ = append(line.dump() + "\n");
}

Status RunHistory::pin(const std::string& id) {
  pinned_ = id;
  return problem_ = append(json::object({{"pinned", id}}).dump() + "\n");
}

const RunRecord* RunHistory::find(std::string_view id) const {
  const auto found =
      std::find_if(runs_.begin(), runs_.end(), [&](const RunRecord& run) { return run.id == id; });
  return found == runs_.end() || id.empty() ? nullptr : &*found;
}

Result<std::string> RunHistory::text_of(const RunRecord& run) const {
  return read_file(folder_ / "texts" / (run.text_id + ".cu"));
}

Status RunHistory::append(const std::string& line) {
  const std::filesystem::path file = folder_ / "runs.jsonl";
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  const int to = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  const ssize_t wrote = to < 0 ? -1 : ::write(to, line.data(), line.size());
  const int why = errno;
  if (to >= 0) ::close(to);
  if (wrote == static_cast<ssize_t>(line.size())) return success();
  return make_error("history", tr("{} cannot be written: {}", file.string(), std::strerror(why)));
}

}  // namespace warpshop::ui
