#include "journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/files.h"
#include "core/fill.h"
#include "core/json_text.h"
#include "core/write_all.h"

namespace warpshop::grade {
namespace {

using Json = nlohmann::ordered_json;

constexpr Verdict kVerdicts[] = {Verdict::kPassed,   Verdict::kFailed, Verdict::kRefused,
                                 Verdict::kBroken,   Verdict::kLimit,  Verdict::kMissing,
                                 Verdict::kNoVerdict};

// Failing to keep a journal is this machine's fault, not the user's.
Diagnostic failure(const std::filesystem::path& path, const std::string& what, int why) {
  return make_error("tool", path.string() + ": " + what + ": " + std::strerror(why),
                    why == ENOSPC || why == EDQUOT
                        ? "free some space on that disk, then rerun the same command to continue"
                    : why == EFBIG
                        ? "raise the limit on the size of files (ulimit -f), then rerun the same "
                          "command to continue"
                        : "make the folder writable, or choose another --out");
}

// The line's last member: ,"sum":"0123456789abcdef"}, a hash of everything before it.
constexpr std::string_view kSum = ",\"sum\":\"";
constexpr size_t kSumLength = kSum.size() + 16 + 2;

std::string sum_of(std::string_view text) {
  return fnv1a_hex({reinterpret_cast<const uint8_t*>(text.data()), text.size()});  // NOLINT
}

std::string key_of(const std::string& student, const std::string& lab, const std::string& step) {
  return student + '\n' + lab + '/' + step;
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
              {"seconds", grade.seconds},
              {"graded_at", grade.graded_at},
              {"sandbox", grade.sandbox}};
  if (grade.measured) out["measured"] = json_of(*grade.measured);
  std::string line = json_text(out);
  line.pop_back();  // the brace
  const std::string sum = sum_of(line);
  return line.append(kSum) + sum + "\"}\n";
}

Result<Grade> grade_of(std::string_view line) {
  const size_t text = line.size() < kSumLength ? 0 : line.size() - kSumLength;
  if (line.substr(text, kSum.size()) != kSum ||
      line.substr(text + kSum.size(), 16) != sum_of(line.substr(0, text))) {
    return make_error("journal", "not a whole line of a journal");
  }
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
    grade.graded_at = json.at("graded_at").get<int64_t>();
    grade.sandbox = json.at("sandbox").get<std::string>();
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

void Grades::add(Grade grade) {
  auto& of_exercise = grades_[key_of(grade.student, grade.lab, grade.step)];
  const auto [known, is_new] = of_exercise.try_emplace(grade.fingerprint, grade);
  if (is_new) return;
  const bool had_verdict = known->second.verdict != Verdict::kNoVerdict;
  const bool has_verdict = grade.verdict != Verdict::kNoVerdict;
  if (had_verdict != has_verdict ? has_verdict : grade.graded_at >= known->second.graded_at)
    known->second = std::move(grade);
}

const Grade* Grades::find(const Submission& submission, const std::string& fingerprint) const {
  const auto of_exercise =
      grades_.find(key_of(submission.student, submission.lab->id, submission.step->id));
  if (of_exercise == grades_.end()) return nullptr;
  const auto known = of_exercise->second.find(fingerprint);
  return known == of_exercise->second.end() ? nullptr : &known->second;
}

bool Grades::graded_before(const Submission& submission) const {
  return grades_.contains(key_of(submission.student, submission.lab->id, submission.step->id));
}

Grades read_journals(const std::filesystem::path& folder) {
  Grades grades;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    if (at->path().extension() != ".jsonl" || !at->is_regular_file(ignored)) continue;
    const Result<std::string> text = read_file(at->path(), kMostDataBytes);
    if (!text.ok()) continue;
    size_t begin = 0;
    for (size_t stop = text->find('\n'); stop != std::string::npos;
         stop = text->find('\n', begin)) {
      Result<Grade> grade = grade_of(std::string_view(*text).substr(begin, stop - begin));
      if (grade.ok()) grades.add(std::move(*grade));
      begin = stop + 1;
    }
  }
  return grades;
}

Result<Journal> Journal::open(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error) return failure(file.parent_path(), "cannot create the folder", error.value());
  Journal journal;
  journal.path_ = file;
  journal.file_ =
      Descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0666));
  if (!journal.file_.is_open()) return failure(file, "cannot be written", errno);
  struct stat info {};
  if (::fstat(journal.file_.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return failure(file, "is not a regular file", EINVAL);
  }
  if (::flock(journal.file_.get(), LOCK_EX | LOCK_NB) != 0) {
    return make_error("busy",
                      file.string() + " is in use: another process is grading these submissions",
                      "wait for the other warpshop grade, or choose another --out");
  }
  const Result<std::string> text = read_file(file, kMostDataBytes);
  if (!text.ok()) return failure(file, "cannot be read", errno);
  const size_t whole = text->rfind('\n') + 1;  // 0 if there is no line
  if (whole < text->size() && ::ftruncate(journal.file_.get(), static_cast<off_t>(whole)) != 0) {
    return failure(file, "cannot remove a truncated line", errno);
  }
  return journal;
}

Status Journal::append(const Grade& grade) {
  if (write_all(file_.get(), line_of(grade))) return success();
  return failure(path_, "cannot be written", errno);
}

Status Journal::sync() {
  // Not every kind of file supports fsync(2): EINVAL.
  if (::fdatasync(file_.get()) == 0 || errno == EINVAL || errno == EROFS) return success();
  return failure(path_, "cannot be written", errno);
}

std::filesystem::path journal_path(const GradeOptions& options) {
  if (options.groups <= 1) return options.out / "grades.jsonl";
  return options.out / ("group-" + std::to_string(options.group) + "-of-" +
                        std::to_string(options.groups) + ".jsonl");
}

}  // namespace warpshop::grade
