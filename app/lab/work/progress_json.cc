#include "work/progress_json.h"

#include <algorithm>
#include <string>

namespace warpshop::lab {

StepProgress step_of_json(const nlohmann::json& value) {
  StepProgress step;
  step.passed = value.value("passed", false);
  step.passed_at = value.value("passed_at", std::string());
  step.version_passed_at = value.value("version_passed_at", std::string());
  step.runs = value.value("runs", 0);
  step.hints_shown = value.value("hints_shown", 0);
  step.solution_shown = value.value("solution_shown", false);
  const nlohmann::json answers = value.value("answers", nlohmann::json::object());
  for (const auto& [question, choice] : answers.items()) {
    step.answers[std::stoi(question)] = choice.get<int>();
  }
  const nlohmann::json numbers = value.value("numbers", nlohmann::json::object());
  for (const auto& [question, number] : numbers.items()) {
    step.numbers[std::stoi(question)] = number.get<double>();
  }
  if (value.contains("estimate")) step.estimate = value.at("estimate").get<double>();
  return step;
}

void merge(const StepProgress& other, StepProgress& mine) {
  if (other.passed && !mine.passed) mine.passed_at = other.passed_at;
  mine.passed |= other.passed;
  mine.version_passed_at = std::max(mine.version_passed_at, other.version_passed_at);
  mine.runs = std::max(mine.runs, other.runs);
  mine.hints_shown = std::max(mine.hints_shown, other.hints_shown);
  mine.solution_shown |= other.solution_shown;
  mine.answers.insert(other.answers.begin(), other.answers.end());
  mine.numbers.insert(other.numbers.begin(), other.numbers.end());
  if (!mine.estimate) mine.estimate = other.estimate;
}

nlohmann::json json_of_step(const StepProgress& step) {
  nlohmann::json answers = nlohmann::json::object();
  for (const auto& [question, choice] : step.answers) answers[std::to_string(question)] = choice;
  nlohmann::json numbers = nlohmann::json::object();
  for (const auto& [question, number] : step.numbers) numbers[std::to_string(question)] = number;
  nlohmann::json value = {{"passed", step.passed},
                          {"passed_at", step.passed_at},
                          {"version_passed_at", step.version_passed_at},
                          {"runs", step.runs},
                          {"hints_shown", step.hints_shown},
                          {"solution_shown", step.solution_shown},
                          {"answers", answers},
                          {"numbers", numbers}};
  if (step.estimate) value["estimate"] = *step.estimate;
  return value;
}

}  // namespace warpshop::lab
