// The points of an exercise, and those that a submission earns. docs/grading.md, "Points".
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "grade/grade.h"

namespace warpshop::grade {

// Points of an exercise's checks, in the order of the checks. A check named "passed" stands for all
// of them together.
using Worth = std::vector<std::pair<std::string, int>>;

// What each exercise of a class is worth, in the order of Class::exercises.
struct Points {
  std::vector<Worth> exercises;
};

// `options`, of which a later one replaces earlier ones: LAB/STEP=10 or LAB=10 splits 10 points
// evenly over the exercise's checks, LAB/STEP=CHECK:N,CHECK:N gives points only to these. Exercises
// without an option: one point per check. Error: an exercise or check that does not exist,
// something that is no number of points, or fewer points than checks.
Result<Points> read_points(const std::vector<std::string>& options, const Class& submissions);

// One check of a submission.
struct PartScore {
  std::string title;
  int points = 0;
  int most = 0;
  bool earned = false;
  std::string said;  // what was found
};

struct Score {
  std::vector<PartScore> parts;
  int most = 0;
  std::optional<int> points;  // none: there is no verdict, so nothing is known
};

// A check earns its points only if the results are correct, on a GPU as well if it was used;
// "passed" only if all checks pass.
Score score_of(const Grade& grade, const lab::Exercise& exercise, const Worth& worth);

// Every grade's score, in the order of GradeResult::grades; also writes Grade::points and
// Grade::max_points.
std::vector<Score> give_points(const Class& submissions, const Points& points, GradeResult& result);

}  // namespace warpshop::grade
