// The formats of graders that take one submission at a time. Gradescope's is described at
// https://gradescope-autograders.readthedocs.io/en/latest/specs/
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "core/terminal_text.h"
#include "grade/formats.h"

namespace warpshop::grade {
namespace {

using Json = nlohmann::ordered_json;

// Without control characters: a database behind a grader may refuse them.
std::string shown(const std::string& text) { return terminal_text(text); }

std::string dumped(const Json& json) { return json_text(json, 1) + "\n"; }

std::string verdict_line(const Grade& grade) {
  return grade.exercise() + ": " + std::string(name_of(grade.verdict)) +
         (grade.reason.empty() ? "" : ": " + grade.reason);
}

// What a check found; the compiler's messages and the findings stand with the exercise's first
// check that earned nothing.
std::string output_of(const PartScore& part, const Grade& grade, bool& messages_shown) {
  std::string text = part.said;
  if (part.earned || messages_shown) return text;
  messages_shown = true;
  for (const std::string& message : grade.messages) text += (text.empty() ? "" : "\n\n") + message;
  return text;
}

}  // namespace

std::string gradescope_json(const GradeResult& result, const std::vector<Score>& scores) {
  Json tests = Json::array();
  std::string output;
  int points = 0;
  double seconds = 0;
  for (size_t i = 0; i < result.grades.size(); ++i) {
    const Grade& grade = result.grades[i];
    output += shown(verdict_line(grade)) + "\n";
    points += scores[i].points.value_or(0);
    seconds += grade.seconds;
    bool messages_shown = false;
    for (size_t part = 0; part < scores[i].parts.size(); ++part) {
      const PartScore& score = scores[i].parts[part];
      tests.push_back({{"score", score.points},
                       {"max_score", score.most},
                       {"status", score.earned ? "passed" : "failed"},
                       {"name", shown(grade.exercise() + ": " + score.title)},
                       {"number", std::to_string(i + 1) + "." + std::to_string(part + 1)},
                       {"output", shown(output_of(score, grade, messages_shown))},
                       {"visibility", "visible"}});
    }
  }
  return dumped({{"score", points},
                 {"execution_time", seconds},
                 {"output", output},
                 {"visibility", "visible"},
                 {"stdout_visibility", "hidden"},
                 {"tests", tests}});
}

std::string classroom50_json(const GradeResult& result, const std::vector<Score>& scores,
                             const Classroom50Run& run) {
  Json tests = Json::array();
  int points = 0;
  int most = 0;
  for (size_t i = 0; i < result.grades.size(); ++i) {
    points += scores[i].points.value_or(0);
    most += scores[i].most;
    for (const PartScore& score : scores[i].parts) {
      tests.push_back({{"test-name", shown(result.grades[i].exercise() + ": " + score.title)},
                       {"passed", score.earned},
                       {"score", score.points},
                       {"max-score", score.most},
                       {"output", shown(score.said)}});
    }
  }
  Json out = {{"schema", "classroom50/result/v1"},
              {"classroom", run.classroom},
              {"assignment", run.assignment},
              {"submission", run.submission},
              {"commit", run.commit},
              {"release", run.release},
              {"review", run.review},
              {"datetime", run.datetime},
              {"score", points},
              {"max-score", most},
              {"tests", tests}};
  if (!run.owner.empty()) out["owner"] = run.owner;
  if (!run.assignment_type.empty()) out["assignment_type"] = run.assignment_type;
  return dumped(out);
}

}  // namespace warpshop::grade
