#include "board.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/json_text.h"
#include "core/utc.h"
#include "grade/csv.h"

namespace warpshop::serve {
namespace {

using Json = nlohmann::json;

constexpr size_t kMostNameBytes = 64;
constexpr size_t kMostChecks = 64;

bool is_name(const Json& message, const char* key) {
  const auto found = message.find(key);
  return found != message.end() && found->is_string() &&
         found->get_ref<const std::string&>().size() <= kMostNameBytes;
}

std::string utc(int64_t seconds) {
  return utc_text(static_cast<time_t>(seconds), "%Y-%m-%dT%H:%M:%SZ");
}

}  // namespace

void Board::load(Database& database) {
  Query query = database.query(
      "SELECT student, lab, step, passed, checks, failing, done, attempts, at FROM progress ORDER "
      "BY at");
  while (query.step()) {
    Of& of = students_[query.number(0)];
    of.here = {query.text(1), query.text(2)};
    of.steps[of.here] = {query.number(3),      query.number(4), query.text(5),
                         query.number(6) != 0, query.number(7), query.number(8)};
  }
}

bool Board::at(StudentId student, const Json& message) {
  if (!is_name(message, "lab") || !is_name(message, "step")) return false;
  const Place place = {message["lab"], message["step"]};
  // The projector never shows texts by students.
  const LabsJson::Step* known = labs_.step(place.first, place.second);
  if (known == nullptr) return false;
  Of& of = students_[student];
  of.here = place;
  std::string text = json_text(message);
  if (of.last == text) return true;
  of.last = std::move(text);
  Progress& step = of.steps[place];
  step.at = now_s();
  const auto passed = message.find("passed");
  if (passed != message.end() && passed->is_array() && passed->size() <= kMostChecks) {
    const bool fails = is_name(message, "failing");
    step.passed = static_cast<int64_t>(passed->size());
    step.failing = fails && known->checks.count(message["failing"]) != 0
                       ? message["failing"].get<std::string>()
                       : "";
    const auto all = message.find("of");
    step.checks =
        all != message.end() && all->is_number_unsigned() && all->get<uint64_t>() <= kMostChecks
            ? all->get<int64_t>()
            : static_cast<int64_t>(known->checks.size());
    // No passed and no failed check: nothing was judged.
    if (fails || step.passed > 0) ++step.attempts;
    step.done = step.done || (!fails && step.passed > 0);
  }
  unsaved_.insert({student, of.here});
  return true;
}

void Board::save() {
  if (unsaved_.empty()) return;
  struct Row {
    StudentId student;
    Place place;
    Progress progress;
  };
  std::vector<Row> rows;
  for (const auto& [student, place] : std::exchange(unsaved_, {})) {
    const auto found = students_.find(student);
    if (found != students_.end()) rows.push_back({student, place, found->second.steps[place]});
  }
  auto places = std::make_shared<std::vector<std::pair<StudentId, Place>>>();
  for (const Row& row : rows) places->emplace_back(row.student, row.place);
  store_.run(
      [rows = std::move(rows)](Database& database) {
        for (const Row& row : rows) {
          database
              .query(
                  "INSERT OR REPLACE INTO progress (student, lab, step, passed, checks, failing, "
                  "done, attempts, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
              .bind(row.student)
              .bind(row.place.first)
              .bind(row.place.second)
              .bind(row.progress.passed)
              .bind(row.progress.checks)
              .bind(row.progress.failing)
              .bind(int64_t{row.progress.done})
              .bind(row.progress.attempts)
              .bind(row.progress.at)
              .run();
        }
      },
      [this, places](const Store::Problem& problem) {
        if (problem) unsaved_.insert(places->begin(), places->end());
      });
}

Json Board::board_message(const Online& online) const {
  struct Step {
    int64_t here = 0, passed = 0, students = 0;
    std::map<std::string, int64_t> failing;
  };
  std::map<Place, Step> steps;
  for (const auto& [id, of] : students_) {
    if (members_.find(id) == nullptr) continue;
    for (const auto& [place, progress] : of.steps) {
      Step& step = steps[place];
      ++step.students;
      step.passed += progress.done ? 1 : 0;
      if (!progress.done && !progress.failing.empty()) ++step.failing[progress.failing];
    }
    if (online.count(id) != 0 && !of.here.first.empty()) ++steps[of.here].here;
  }
  Json list = Json::array();
  for (const auto& [place, step] : steps) {
    const LabsJson::Step* known = labs_.step(place.first, place.second);
    Json failing = Json::array();
    for (const auto& [check, count] : step.failing) {
      std::string title = check;
      if (known != nullptr && known->checks.count(check) != 0) title = known->checks.at(check);
      failing.push_back({{"check", check}, {"title", title}, {"count", count}});
    }
    std::stable_sort(failing.begin(), failing.end(), [](const Json& a, const Json& b) {
      return a["count"].get<int64_t>() > b["count"].get<int64_t>();
    });
    list.push_back({{"lab", place.first},
                    {"step", place.second},
                    {"title", known != nullptr ? known->title : place.second},
                    {"students", step.students},
                    {"here", step.here},
                    {"passed", step.passed},
                    {"failing", std::move(failing)}});
  }
  return {{"type", "board"},
          {"students", members_.students().size()},
          {"online", online.size()},
          {"steps", std::move(list)}};
}

Json Board::students_message(const Online& online) const {
  Json list = Json::array();
  for (const auto& [id, student] : members_.students()) {
    Json row = {{"student", id},
                {"name", student.name},
                {"online", online.count(id) != 0},
                {"last_seen", std::max<int64_t>(0, now_s() - student.seen)},
                {"attempts", 0},
                {"steps", Json::object()}};
    const auto of = students_.find(id);
    if (of != students_.end()) {
      int64_t attempts = 0;
      for (const auto& [place, progress] : of->second.steps) {
        attempts += progress.attempts;
        row["steps"][place.first + "/" + place.second] = progress.done;
      }
      row["attempts"] = attempts;
      const auto here = of->second.steps.find(of->second.here);
      if (here != of->second.steps.end()) {
        row["lab"] = here->first.first;
        row["step"] = here->first.second;
        row["passed"] = here->second.passed;
        row["of"] = here->second.checks;
        row["failing"] = here->second.failing.empty() ? Json(nullptr) : Json(here->second.failing);
      }
    }
    list.push_back(std::move(row));
  }
  return {{"type", "students"}, {"students", std::move(list)}};
}

std::string Board::csv() const {
  // The byte order mark tells spreadsheets that the file is UTF-8.
  std::string out =
      "\xef\xbb\xbfname,lab,step,passed,checks_passed,checks,failing,attempts,last_seen\r\n";
  for (const auto& [id, student] : members_.students()) {
    const auto of = students_.find(id);
    if (of == students_.end() || of->second.steps.empty()) {
      out += grade::csv_cell(student.name) + ",,,no,,,,0," + utc(student.seen) + "\r\n";
      continue;
    }
    for (const auto& [place, step] : of->second.steps) {
      out += grade::csv_cell(student.name) + "," + grade::csv_cell(place.first) + "," +
             grade::csv_cell(place.second) + "," + (step.done ? "yes" : "no") + "," +
             std::to_string(step.passed) + "," + std::to_string(step.checks) + "," +
             grade::csv_cell(step.failing) + "," + std::to_string(step.attempts) + "," +
             utc(step.at) + "\r\n";
    }
  }
  return out;
}

}  // namespace warpshop::serve
