// Logs each grade as a line as soon as it is known, so that grading can resume after any
// interruption.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/descriptor.h"
#include "core/result.h"
#include "grade/grade.h"

namespace warpshop::grade {

// One line with a checksum at its end, so that a damaged line is not taken for a grade.
std::string line_of(const Grade& grade);
Result<Grade> grade_of(std::string_view line);
// The form used in the journal and in grades.json.
nlohmann::ordered_json json_of(const MeasuredTimes& measured);

// All recorded grades, by student, exercise and fingerprint.
class Grades {
 public:
  // A verdict beats no-verdict; of two verdicts the later wins.
  void add(Grade grade);
  // Null: nothing with this fingerprint was graded.
  const Grade* find(const Submission& submission, const std::string& fingerprint) const;
  // Whether it was graded under a different fingerprint.
  bool graded_before(const Submission& submission) const;

 private:
  std::map<std::string, std::map<std::string, Grade>> grades_;
};

// Reads every journal in the folder without locking. Ignores damaged lines.
Grades read_journals(const std::filesystem::path& folder);

class Journal {
 public:
  // Opens the journal for this process only and removes a line truncated by a crash. Error: it
  // cannot be written, or another process holds it.
  static Result<Journal> open(const std::filesystem::path& file);
  Journal(Journal&& other) noexcept = default;
  Journal& operator=(Journal&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  Status append(const Grade& grade);
  // Flushes to disk. Before this returns, a power cut may lose the last lines, which are then
  // graded again.
  Status sync();

 private:
  Journal() = default;
  Descriptor file_;
  std::filesystem::path path_;
};

// grades.jsonl, or group-K-of-N.jsonl.
std::filesystem::path journal_path(const GradeOptions& options);

}  // namespace warpshop::grade
