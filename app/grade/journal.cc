#include "journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/files.h"

namespace warpshop::grade {
namespace {

using Json = nlohmann::ordered_json;

constexpr Verdict kVerdicts[] = {Verdict::kPassed,   Verdict::kFailed, Verdict::kRefused,
                                 Verdict::kBroken,   Verdict::kLimit,  Verdict::kMissing,
                                 Verdict::kNoVerdict};

// The grades in the text's whole lines, and where the last of these ends.
size_t read_lines(const std::string& text, Grades& grades) {
  size_t begin = 0;
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    Result<Grade> grade = grade_of(std::string_view(text).substr(begin, end - begin));
    if (grade.ok()) {
      const std::string key = key_of(grade->student, grade->lab, grade->step);
      grades[key] = std::move(*grade);
    }
    begin = end + 1;
  }
  return begin;
}

Diagnostic failure(const std::filesystem::path& path, const char* what) {
  return make_error("file", path.string() + ": " + what + ": " + std::strerror(errno));
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed:
      return "passed";
    case Verdict::kFailed:
      return "failed";
    case Verdict::kRefused:
      return "refused";
    case Verdict::kBroken:
      return "broken";
    case Verdict::kLimit:
      return "limit";
    case Verdict::kMissing:
      return "missing";
    case Verdict::kNoVerdict:
      return "no-verdict";
  }
  return "";
}

Json json_of(const MeasuredTimes& measured) {
  return {{"gpu", measured.gpu},
          {"student_us", measured.student_us},
          {"reference_us", measured.reference_us},
          {"student_gb_s", measured.student_gb_s}};
}

std::string line_of(const Grade& grade) {
  Json checks = Json::array();
  for (const CheckLine& check : grade.checks) {
    checks.push_back({{"id", check.id},
                      {"title", check.title},
                      {"passed", check.passed},
                      {"got", check.got},
                      {"wanted", check.wanted}});
  }
  Json out = {{"student", grade.student},
              {"lab", grade.lab},
              {"step", grade.step},
              {"fingerprint", grade.fingerprint},
              {"verdict", std::string(name_of(grade.verdict))},
              {"reason", grade.reason},
              {"checks", checks},
              {"messages", grade.messages},
              {"seconds", grade.seconds}};
  if (grade.measured) out["measured"] = json_of(*grade.measured);
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Grade> grade_of(std::string_view line) {
  try {
    const Json json = Json::parse(line);
    Grade grade;
    grade.student = json.at("student").get<std::string>();
    grade.lab = json.at("lab").get<std::string>();
    grade.step = json.at("step").get<std::string>();
    grade.fingerprint = json.at("fingerprint").get<std::string>();
    const auto verdict = json.at("verdict").get<std::string>();
    grade.verdict = Verdict::kNoVerdict;
    for (const Verdict known : kVerdicts) {
      if (verdict == name_of(known)) grade.verdict = known;
    }
    grade.reason = json.at("reason").get<std::string>();
    for (const Json& check : json.at("checks")) {
      grade.checks.push_back({check.at("id").get<std::string>(),
                              check.at("title").get<std::string>(), check.at("passed").get<bool>(),
                              check.at("got").get<std::string>(),
                              check.at("wanted").get<std::string>()});
    }
    grade.messages = json.at("messages").get<std::vector<std::string>>();
    grade.seconds = json.at("seconds").get<double>();
    if (json.contains("measured")) {
      const Json& measured = json.at("measured");
      grade.measured = MeasuredTimes{
          measured.at("gpu").get<std::string>(), measured.at("student_us").get<double>(),
          measured.at("reference_us").get<double>(), measured.at("student_gb_s").get<double>()};
    }
    return grade;
  } catch (const std::exception& error) {
    return make_error("journal", std::string("not a line of a journal: ") + error.what());
  }
}

std::string key_of(const std::string& student, const std::string& lab, const std::string& step) {
  return student + '\n' + lab + '/' + step;
}

Result<Journal> Journal::open(const std::filesystem::path& file) {
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  Journal journal;
  journal.path_ = file;
  journal.file_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (journal.file_ < 0) return failure(file, "cannot be written");
  if (::flock(journal.file_, LOCK_EX | LOCK_NB) != 0) {
    return make_error("busy", file.string() + " is in use: these submissions are being graded",
                      "wait for the other warpshop grade, or choose another --out");
  }
  Result<std::string> text = read_file(file);
  if (!text.ok()) return text.errors();
  const size_t whole = read_lines(*text, journal.grades_);
  if (whole < text.value().size() && ::ftruncate(journal.file_, static_cast<off_t>(whole)) != 0) {
    return failure(file, "the line that was cut off cannot be cut away");
  }
  return journal;
}

Journal::Journal(Journal&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      path_(std::move(other.path_)),
      grades_(std::move(other.grades_)) {}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

Status Journal::append(const Grade& grade) {
  const std::string line = line_of(grade);
  for (size_t at = 0; at < line.size();) {
    const ssize_t written = ::write(file_, line.data() + at, line.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return failure(path_, "cannot be written");
    at += static_cast<size_t>(written);
  }
  grades_[key_of(grade.student, grade.lab, grade.step)] = grade;
  return success();
}

Grades read_journal(const std::filesystem::path& file) {
  Grades grades;
  if (Result<std::string> text = read_file(file); text.ok()) read_lines(*text, grades);
  return grades;
}

std::filesystem::path journal_path(const GradeOptions& options) {
  if (options.groups <= 1) return options.out / "grades.jsonl";
  return options.out / ("group-" + std::to_string(options.group) + "-of-" +
                        std::to_string(options.groups) + ".jsonl");
}

}  // namespace warpshop::grade
