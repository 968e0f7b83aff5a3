// A grading's outputs: JSON and CSV for scripts, JUnit XML for a course's CI, and a page to read.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "core/markup.h"
#include "grade/csv.h"
#include "grade/grade.h"
#include "journal.h"

namespace warpshop::grade {
namespace {

using Json = nlohmann::ordered_json;

std::string number(double value, const char* format = "%.3f") {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string all_messages(const Grade& grade) {
  std::string out = grade.reason;
  for (const std::string& message : grade.messages) out += (out.empty() ? "" : "\n\n") + message;
  return out;
}

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --good: #0072b2; --bad: #b34700; --quiet: #666; --line: #ccc; }
@media (prefers-color-scheme: dark) {
  :root { --good: #6cb6ff; --bad: #ffb069; --quiet: #aaa; --line: #444; }
}
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left; }
thead th { position: sticky; top: 0; background: Canvas; }
.passed { color: var(--good); } .quiet { color: var(--quiet); }
.failed, .broken, .refused, .limit { color: var(--bad); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
)";

std::string mark(Verdict verdict) {
  return verdict == Verdict::kPassed ? "✓ " : verdict == Verdict::kMissing ? "– " : "✗ ";
}

}  // namespace

std::string grades_json(const Class& submissions, const GradeResult& result) {
  Json exercises = Json::array();
  for (const auto& [lab, step] : submissions.exercises)
    exercises.push_back(lab->id + "/" + step->id);
  Json grades = Json::array();
  for (const Grade& grade : result.grades) {
    Json checks = Json::array();
    for (const CheckLine& check : grade.checks) {
      checks.push_back({{"id", check.id},
                        {"passed", check.passed},
                        {"got", check.got},
                        {"wanted", check.wanted}});
    }
    Json out = {{"student", grade.student},
                {"exercise", grade.exercise()},
                {"verdict", name_of(grade.verdict)},
                {"points", grade.points ? Json(*grade.points) : Json()},
                {"max_points", grade.max_points},
                {"reason", grade.reason},
                {"checks", checks},
                {"messages", grade.messages},
                {"seconds", grade.seconds}};
    if (grade.measured) out["measured"] = json_of(*grade.measured);
    grades.push_back(std::move(out));
  }
  Json ignored = Json::array();
  for (const Diagnostic& note : submissions.ignored) ignored.push_back(note.message);
  return json_text(Json{{"version", 1},
                        {"students", submissions.students},
                        {"exercises", exercises},
                        {"sandbox", result.sandbox},
                        {"inputs", result.inputs},
                        {"ignored", ignored},
                        {"grades", grades}},
                   1) +
         "\n";
}

std::string grades_csv(const GradeResult& result) {
  std::string out =
      "student,exercise,verdict,checks_passed,checks,reason,gpu_us,reference_gpu_us,gpu_gb_s,"
      "points,max_points\r\n";
  for (const Grade& grade : result.grades) {
    size_t passed = 0;
    for (const CheckLine& check : grade.checks) passed += check.passed ? 1 : 0;
    out += csv_cell(grade.student) + "," + csv_cell(grade.exercise()) + "," +
           std::string(name_of(grade.verdict)) + "," + std::to_string(passed) + "," +
           std::to_string(grade.checks.size()) + "," + csv_cell(grade.reason);
    if (grade.measured) {
      out += "," + number(grade.measured->student_us) + "," + number(grade.measured->reference_us) +
             "," + number(grade.measured->student_gb_s);
    } else {
      out += ",,,";
    }
    out += "," + (grade.points ? std::to_string(*grade.points) : "") + "," +
           (grade.max_points > 0 ? std::to_string(grade.max_points) : "") + "\r\n";
  }
  return out;
}

std::string junit_xml(const GradeResult& result) {
  struct Suite {
    std::string cases;
    size_t tests = 0, failures = 0, errors = 0, skipped = 0;
    double seconds = 0;
  };
  std::map<std::string, Suite> suites;
  for (const Grade& grade : result.grades) {
    Suite& suite = suites[grade.exercise()];
    ++suite.tests;
    suite.seconds += grade.seconds;
    suite.cases += "    <testcase classname=\"" + escaped(grade.student) + "\" name=\"" +
                   escaped(grade.exercise()) + "\" time=\"" + number(grade.seconds) + "\"";
    const std::string body = "message=\"" + escaped(grade.reason) + "\" type=\"" +
                             std::string(name_of(grade.verdict)) + "\">" +
                             escaped(all_messages(grade));
    switch (grade.verdict) {
      case Verdict::kPassed:
        suite.cases += "/>\n";
        break;
      case Verdict::kMissing:
        ++suite.skipped;
        suite.cases += "><skipped message=\"" + escaped(grade.reason) + "\"/></testcase>\n";
        break;
      case Verdict::kNoVerdict:
        ++suite.errors;
        suite.cases += "><error " + body + "</error></testcase>\n";
        break;
      default:
        ++suite.failures;
        suite.cases += "><failure " + body + "</failure></testcase>\n";
    }
  }
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const auto& [name, suite] : suites) {
    out += "  <testsuite name=\"" + escaped(name) + "\" tests=\"" + std::to_string(suite.tests) +
           "\" failures=\"" + std::to_string(suite.failures) + "\" errors=\"" +
           std::to_string(suite.errors) + "\" skipped=\"" + std::to_string(suite.skipped) +
           "\" time=\"" + number(suite.seconds) + "\">\n" + suite.cases + "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

std::string html_page(const Class& submissions, const GradeResult& result) {
  std::map<std::string, std::map<std::string, const Grade*>> by_student;
  std::map<std::string, size_t> passed;  // per exercise
  for (const Grade& grade : result.grades) {
    by_student[grade.student][grade.exercise()] = &grade;
    passed[grade.exercise()] += grade.verdict == Verdict::kPassed ? 1 : 0;
  }
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Grades</title>"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\"><style>" +
      std::string(kStyle) + "</style></head><body>\n<h1>Grades</h1>\n<p>" +
      std::to_string(submissions.students.size()) + " students, " +
      std::to_string(submissions.exercises.size()) + " exercises. <span class=\"quiet\">" +
      escaped(result.sandbox) + ".</span></p>\n<table><thead><tr><th>Student</th>";
  for (const auto& [lab, step] : submissions.exercises) {
    const std::string name = lab->id + "/" + step->id;
    out += "<th scope=\"col\">" + escaped(name) + "<br><span class=\"quiet\">" +
           std::to_string(passed[name]) + " passed</span></th>";
  }
  out += "<th scope=\"col\">Passed</th></tr></thead><tbody>\n";
  std::string details;
  size_t number_of_detail = 0;
  for (const std::string& student : submissions.students) {
    out += "<tr><th scope=\"row\">" + escaped(student) + "</th>";
    size_t count = 0;
    for (const auto& [lab, step] : submissions.exercises) {
      const Grade* grade = by_student[student][lab->id + "/" + step->id];
      if (grade == nullptr) {
        out += "<td></td>";
        continue;
      }
      const std::string verdict(name_of(grade->verdict));
      std::string text = mark(grade->verdict) + verdict;
      if (grade->measured) text += ", " + number(grade->measured->student_us, "%.1f") + " µs";
      if (grade->verdict == Verdict::kPassed || grade->verdict == Verdict::kMissing) {
        count += grade->verdict == Verdict::kPassed ? 1 : 0;
        out += "<td class=\"" + verdict + "\">" + text + "</td>";
        continue;
      }
      const std::string id = "d" + std::to_string(++number_of_detail);
      out += "<td><a class=\"" + verdict + "\" href=\"#" + id + "\">" + text + "</a></td>";
      details += "<details id=\"" + id + "\"><summary>" + escaped(student) + ", " +
                 escaped(grade->exercise()) + ": <span class=\"" + verdict + "\">" + verdict +
                 "</span></summary><pre>" + escaped(all_messages(*grade)) + "</pre></details>\n";
    }
    out += "<td>" + std::to_string(count) + "</td></tr>\n";
  }
  out += "</tbody></table>\n";
  if (!details.empty()) out += "<h2>Reasons</h2>\n" + details;
  if (!submissions.ignored.empty()) {
    out += "<h2>Ignored</h2>\n<ul>\n";
    for (const Diagnostic& note : submissions.ignored)
      out += "<li>" + escaped(note.message) + "</li>\n";
    out += "</ul>\n";
  }
  return out + "</body></html>\n";
}

}  // namespace warpshop::grade
