// What was graded, a line for each grade, written as it comes: so that grading resumes where it
// stopped, whatever stopped it.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/result.h"
#include "grade/grade.h"

namespace warpshop::grade {

std::string line_of(const Grade& grade);
Result<Grade> grade_of(std::string_view line);
// As it stands in the journal and in grades.json.
nlohmann::ordered_json json_of(const MeasuredTimes& measured);

// By student and exercise.
using Grades = std::map<std::string, Grade>;
std::string key_of(const std::string& student, const std::string& lab, const std::string& step);

class Journal {
 public:
  // Opens it for this process alone and reads it; a line that a crash cut off is cut away. Error:
  // it cannot be written, or another process has it.
  static Result<Journal> open(const std::filesystem::path& file);
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  const Grades& grades() const { return grades_; }
  Status append(const Grade& grade);

 private:
  Journal() = default;
  int file_ = -1;
  std::filesystem::path path_;
  Grades grades_;
};

// Reads a journal without locking it.
Grades read_journal(const std::filesystem::path& file);

// grades.jsonl, or group-K-of-N.jsonl.
std::filesystem::path journal_path(const GradeOptions& options);

}  // namespace warpshop::grade
