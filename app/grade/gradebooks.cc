// Gradebooks that learning platforms import: UTF-8 without a byte order mark, commas, one row per
// student. Canvas: https://github.com/instructure/canvas-lms, lib/gradebook_importer.rb; Moodle:
// https://docs.moodle.org/en/Grade_import
#include <algorithm>
#include <map>

#include "grade/csv.h"
#include "grade/formats.h"

namespace warpshop::grade {
namespace {

constexpr std::string_view kCanvasColumns[] = {"Student", "ID", "SIS User ID", "SIS Login ID",
                                               "Section"};

bool is_canvas_id(std::string_view name) {
  return name != "Section" && std::find(std::begin(kCanvasColumns), std::end(kCanvasColumns),
                                        name) != std::end(kCanvasColumns);
}

struct Cell {
  int points = 0;
  int most = 0;
  bool known = true;
};

// Columns in the order of the exercises, and each student's cells.
struct Gradebook {
  std::vector<std::string> columns;
  std::map<std::string, int> most;
  std::map<std::string, std::map<std::string, Cell>> students;
};

Gradebook gradebook_of(const Class& submissions, const GradeResult& result,
                       GradebookColumns columns) {
  Gradebook out;
  const auto column_of = [&](const std::string& lab, const std::string& step) {
    return columns == GradebookColumns::kLabs ? lab : lab + "/" + step;
  };
  for (const auto& [lab, step] : submissions.exercises) {
    const std::string column = column_of(lab->id, step->id);
    if (std::find(out.columns.begin(), out.columns.end(), column) == out.columns.end())
      out.columns.push_back(column);
  }
  for (const Grade& grade : result.grades) {
    const std::string column = column_of(grade.lab, grade.step);
    Cell& cell = out.students[grade.student][column];
    cell.points += grade.points.value_or(0);
    cell.most += grade.max_points;
    cell.known &= grade.points.has_value();
    out.most[column] = std::max(out.most[column], cell.most);
  }
  return out;
}

// `unknown` stands where there is no verdict.
std::string cells_of(Gradebook& book, const std::string& student, const char* unknown) {
  std::string out;
  for (const std::string& column : book.columns) {
    const Cell& cell = book.students[student][column];
    out += "," + (cell.known ? std::to_string(cell.points) : std::string(unknown));
  }
  return out;
}

}  // namespace

Status check_id_column(const std::vector<WantedFile>& files, const std::string& id_column) {
  const auto wanted = [&](Format format) {
    return std::any_of(files.begin(), files.end(),
                       [&](const WantedFile& file) { return file.format == format; });
  };
  if (id_column.empty()) return success();
  if (!wanted(Format::kCanvas) && !wanted(Format::kMoodle)) {
    return make_error("usage", "--id-column names a column of a gradebook, and none is written",
                      "add --format lms, canvas or moodle");
  }
  if (wanted(Format::kMoodle) || is_canvas_id(id_column)) return success();
  return make_error("usage", "--id-column " + id_column + ": Canvas has no such column",
                    "expected Student, ID, SIS User ID or SIS Login ID");
}

std::string canvas_csv(const Class& submissions, const GradeResult& result,
                       const FormatOptions& options) {
  Gradebook book = gradebook_of(submissions, result, options.columns);
  const std::string id = is_canvas_id(options.id_column) ? options.id_column : "SIS Login ID";
  std::string out;
  for (const std::string_view column : kCanvasColumns)
    out += (out.empty() ? "" : ",") + std::string(column);
  for (const std::string& column : book.columns) out += "," + csv_cell(column);
  out += "\r\n    Points Possible,,,,";
  for (const std::string& column : book.columns) out += "," + std::to_string(book.most[column]);
  out += "\r\n";
  for (const std::string& student : submissions.students) {
    // Canvas looks for the name if it finds no id.
    for (const std::string_view column : kCanvasColumns) {
      if (column != "Student") out += ",";
      if (column == id || column == "Student") out += csv_cell(student);
    }
    out += cells_of(book, student, "") + "\r\n";  // an empty cell changes no grade
  }
  return out;
}

std::string moodle_csv(const Class& submissions, const GradeResult& result,
                       const FormatOptions& options) {
  Gradebook book = gradebook_of(submissions, result, options.columns);
  std::string out = csv_cell(options.id_column.empty() ? "username" : options.id_column);
  for (const std::string& column : book.columns) out += "," + csv_cell(column);
  out += "\r\n";
  for (const std::string& student : submissions.students)
    out += csv_cell(student) + cells_of(book, student, "-") + "\r\n";  // as Moodle exports no grade
  return out;
}

}  // namespace warpshop::grade
