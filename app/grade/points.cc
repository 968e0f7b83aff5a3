#include "grade/points.h"

#include <algorithm>
#include <charconv>

namespace warpshop::grade {
namespace {

constexpr int kMostPoints = 1'000'000;
constexpr const char* kPassed = "passed";
constexpr const char* kForms = "LAB=10, LAB/STEP=10 or LAB/STEP=CHECK:8,CHECK:2";

struct NamedCheck {
  std::string id;
  std::string title;
};

// Every exercise has the first two and the last one: RunResult::checks.
std::vector<NamedCheck> checks_of(const lab::Exercise& exercise) {
  std::vector<NamedCheck> out = {{"correct", "Result correct"}, {"no-findings", "No findings"}};
  for (const lab::CheckRule& rule : exercise.checks) out.push_back({rule.id, rule.title});
  out.push_back({"whole-kernel", "Cost of the whole kernel"});
  return out;
}

std::string title_of(const std::string& id, const std::vector<NamedCheck>& checks) {
  for (const NamedCheck& check : checks) {
    if (check.id == id) return check.title;
  }
  return "All checks pass";
}

Diagnostic wrong(const std::string& option, const std::string& what, const std::string& help) {
  return make_error("usage", "--points " + option + ": " + what, help);
}

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > kMostPoints)
    return std::nullopt;
  return value;
}

// Whole points, so what cannot be split evenly goes to the first checks.
Worth split(int points, const std::vector<NamedCheck>& checks) {
  Worth worth;
  const int count = static_cast<int>(checks.size());
  for (int i = 0; i < count; ++i) {
    worth.emplace_back(checks[static_cast<size_t>(i)].id,
                       points / count + (i < points % count ? 1 : 0));
  }
  return worth;
}

// "CHECK:8,CHECK:2"
Result<Worth> named_checks(const std::string& option, std::string_view text,
                           const std::vector<NamedCheck>& checks) {
  std::string known;
  for (const NamedCheck& check : checks) known += check.id + ", ";
  Worth worth;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string_view part = text.substr(at, end - at);
    at = end + 1;
    const size_t colon = part.find(':');
    const std::optional<int> points =
        colon == std::string_view::npos ? std::nullopt : whole_number(part.substr(colon + 1));
    if (!points) {
      return wrong(option, "'" + std::string(part) + "' gives no whole number of points",
                   std::string("expected ") + kForms);
    }
    const std::string id(part.substr(0, colon));
    const bool exists = id == kPassed || std::any_of(checks.begin(), checks.end(),
                                                     [&](auto& c) { return c.id == id; });
    if (!exists) {
      return wrong(option, "the exercise has no check '" + id + "'",
                   "its checks are " + known + "and passed for all of them together");
    }
    if (std::any_of(worth.begin(), worth.end(), [&](auto& w) { return w.first == id; }))
      return wrong(option, "the check '" + id + "' is named twice", "name each check once");
    worth.emplace_back(id, *points);
  }
  return worth;
}

Result<Worth> worth_of(const std::string& option, std::string_view text,
                       const lab::Exercise& exercise, const std::string& name) {
  const std::vector<NamedCheck> checks = checks_of(exercise);
  if (text.find(':') != std::string_view::npos) return named_checks(option, text, checks);
  const std::optional<int> points = whole_number(text);
  if (!points) {
    return wrong(option, "'" + std::string(text) + "' is not a whole number of points",
                 std::string("expected ") + kForms + ", with points from 0 to 1,000,000");
  }
  if (*points > 0 && *points < static_cast<int>(checks.size())) {
    return wrong(
        option,
        name + " has " + std::to_string(checks.size()) + " checks, which cannot share fewer points",
        "give more, or give all to a pass: " + name + "=passed:" + std::to_string(*points));
  }
  return split(*points, checks);
}

const CheckLine* line_with(const std::string& id, const Grade& grade) {
  for (const CheckLine& line : grade.checks) {
    if (line.id == id) return &line;
  }
  return nullptr;
}

// On the emulator, and for the checks of a GPU, whose ids no exercise has.
bool results_correct(const Grade& grade, const std::vector<NamedCheck>& checks) {
  if (grade.verdict == Verdict::kPassed) return true;
  const CheckLine* correct = line_with("correct", grade);
  if (grade.verdict != Verdict::kFailed || correct == nullptr || !correct->passed) return false;
  return std::all_of(grade.checks.begin(), grade.checks.end(), [&](const CheckLine& line) {
    return line.passed || std::any_of(checks.begin(), checks.end(),
                                      [&](const NamedCheck& own) { return own.id == line.id; });
  });
}

PartScore part_of(const Grade& grade, const std::string& id, bool correct) {
  PartScore part;
  if (id == kPassed) {
    part.earned = grade.verdict == Verdict::kPassed;
    part.said = grade.reason;
    return part;
  }
  const CheckLine* line = line_with(id, grade);
  const bool judged = grade.verdict == Verdict::kPassed || grade.verdict == Verdict::kFailed;
  if (line == nullptr || !judged) {
    part.said = grade.reason;
    return part;
  }
  part.earned = correct && line->passed;
  part.said = line->got;
  if (!line->passed && !line->wanted.empty()) part.said += "; wanted: " + line->wanted;
  if (line->passed && !correct) part.said += "; counts only once the results are correct";
  return part;
}

}  // namespace

Result<Points> read_points(const std::vector<std::string>& options, const Class& submissions) {
  Points out;
  for (const auto& [lab, step] : submissions.exercises)
    out.exercises.push_back(
        split(static_cast<int>(checks_of(*step->exercise).size()), checks_of(*step->exercise)));
  for (const std::string& option : options) {
    const size_t equals = option.find('=');
    if (equals == std::string::npos)
      return wrong(option, "there is no '='", std::string("expected ") + kForms);
    const std::string name = option.substr(0, equals);
    bool found = false;
    for (size_t i = 0; i < submissions.exercises.size(); ++i) {
      const auto& [lab, step] = submissions.exercises[i];
      const std::string exercise = lab->id + "/" + step->id;
      if (name != lab->id && name != exercise) continue;
      found = true;
      Result<Worth> worth =
          worth_of(option, std::string_view(option).substr(equals + 1), *step->exercise, exercise);
      if (!worth.ok()) return worth.errors();
      out.exercises[i] = std::move(*worth);
    }
    if (!found) {
      std::string graded;
      for (const auto& [lab, step] : submissions.exercises)
        graded += (graded.empty() ? "" : ", ") + lab->id + "/" + step->id;
      return wrong(option, "no exercise '" + name + "' is graded", "the exercises are " + graded);
    }
  }
  return out;
}

Score score_of(const Grade& grade, const lab::Exercise& exercise, const Worth& worth) {
  Score score;
  const std::vector<NamedCheck> checks = checks_of(exercise);
  const bool correct = results_correct(grade, checks);
  int points = 0;
  for (const auto& [id, most] : worth) {
    PartScore part = part_of(grade, id, correct);
    part.title = title_of(id, checks);
    part.most = most;
    part.points = part.earned ? most : 0;
    points += part.points;
    score.most += most;
    score.parts.push_back(std::move(part));
  }
  if (grade.verdict != Verdict::kNoVerdict) score.points = points;
  return score;
}

std::vector<Score> give_points(const Class& submissions, const Points& points,
                               GradeResult& result) {
  std::vector<Score> out;
  for (Grade& grade : result.grades) {
    Score score;
    for (size_t i = 0; i < submissions.exercises.size(); ++i) {
      const auto& [lab, step] = submissions.exercises[i];
      if (grade.lab == lab->id && grade.step == step->id)
        score = score_of(grade, *step->exercise, points.exercises.at(i));
    }
    grade.points = score.points;
    grade.max_points = score.most;
    out.push_back(std::move(score));
  }
  return out;
}

}  // namespace warpshop::grade
