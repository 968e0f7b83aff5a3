// Results in the formats of graders and learning platforms. docs/grading.md, "Formats".
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"
#include "grade/grade.h"
#include "grade/points.h"

namespace warpshop::grade {

enum class Format { kJson, kCsv, kJunit, kHtml, kGradescope, kClassroom50, kCanvas, kMoodle };

struct WantedFile {
  Format format;
  std::filesystem::path file;
};

// `texts`: NAME or NAME=FILE; "lms" stands for canvas and moodle. Includes the four files that are
// always written, in `out`, unless a text names another place. Error: no such format, or a file for
// "lms".
Result<std::vector<WantedFile>> read_formats(const std::vector<std::string>& texts,
                                             const std::filesystem::path& out);

// The formats that hold one student's results. Such a file is not written while a grade has no
// verdict: it could only say 0 points.
bool is_for_one(Format format);
std::string_view name_of(Format format);

// What Classroom 50's runner says about the submission, in environment variables:
// https://github.com/foundation50/classroom50/wiki/Advanced-Autograding
struct Classroom50Run {
  std::string classroom, assignment, submission, commit, release, review;
  std::string owner, assignment_type;  // set by newer runners; else empty
  std::string datetime;                // ISO 8601, UTC
};
// Error: a variable that is missing or is not what the runner sets.
Result<Classroom50Run> classroom50_run();

enum class GradebookColumns { kExercises, kLabs };

struct FormatOptions {
  Points points = {};
  Classroom50Run classroom50 = {};
  std::string id_column = {};  // empty: "SIS Login ID" for Canvas, "username" for Moodle
  GradebookColumns columns = GradebookColumns::kExercises;
};

// Error: there is a name but no gradebook, or only Canvas's, which has no such column.
Status check_id_column(const std::vector<WantedFile>& files, const std::string& id_column);

struct WrittenFiles {
  std::vector<std::filesystem::path> written;
  std::vector<std::filesystem::path> withheld;  // is_for_one, and a grade has no verdict
};
// Gives points to the grades, then writes every file.
Result<WrittenFiles> write_reports(const std::vector<WantedFile>& files, const Class& submissions,
                                   GradeResult& result, const FormatOptions& options);

std::string gradescope_json(const GradeResult& result, const std::vector<Score>& scores);
std::string classroom50_json(const GradeResult& result, const std::vector<Score>& scores,
                             const Classroom50Run& run);
std::string canvas_csv(const Class& submissions, const GradeResult& result,
                       const FormatOptions& options);
std::string moodle_csv(const Class& submissions, const GradeResult& result,
                       const FormatOptions& options);

}  // namespace warpshop::grade
