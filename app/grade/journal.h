// What was graded, a line for each grade, written as it comes: so that grading resumes where it
// stopped, whatever stopped it.
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

// One line with a sum at its end, so that a damaged one is not taken for a grade.
std::string line_of(const Grade& grade);
Result<Grade> grade_of(std::string_view line);
// As it stands in the journal and in grades.json.
nlohmann::ordered_json json_of(const MeasuredTimes& measured);

// What was ever graded, by student, exercise and fingerprint.
class Grades {
 public:
  // A verdict counts more than none, and of two the later one.
  void add(Grade grade);
  // Null: what has this fingerprint was never graded.
  const Grade* find(const Submission& submission, const std::string& fingerprint) const;
  // Was it graded with another fingerprint?
  bool graded_before(const Submission& submission) const;

 private:
  std::map<std::string, std::map<std::string, Grade>> grades_;
};

// Of every journal in the folder, read without locking them. A line that is damaged counts as not there.
Grades read_journals(const std::filesystem::path& folder);

class Journal {
 public:
  // Opens it for this process alone; a line that a crash cut off is cut away. Error: it cannot be
  // written, or another process has it.
  static Result<Journal> open(const std::filesystem::path& file);
  Journal(Journal&& other) noexcept = default;
  Journal& operator=(Journal&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  Status append(const Grade& grade);
  // Until this returns, a power cut may take the last lines away, which are then graded again.
  Status sync();

 private:
  Journal() = default;
  Descriptor file_;
  std::filesystem::path path_;
};

// grades.jsonl, or group-K-of-N.jsonl.
std::filesystem::path journal_path(const GradeOptions& options);

}  // namespace warpshop::grade
