#include "grade/formats.h"

#include <algorithm>
#include <cstdlib>

#include "core/files.h"
#include "core/utc.h"

namespace warpshop::grade {
namespace {

namespace fs = std::filesystem;

struct FormatInfo {
  Format format;
  std::string_view name;
  const char* file;  // its name in the results folder
  bool always;
  bool for_one;
};
constexpr FormatInfo kFormats[] = {
    {Format::kJson, "json", "grades.json", true, false},
    {Format::kCsv, "csv", "grades.csv", true, false},
    {Format::kJunit, "junit", "grades.junit.xml", true, false},
    {Format::kHtml, "html", "index.html", true, false},
    {Format::kGradescope, "gradescope", "results.json", false, true},
    {Format::kClassroom50, "classroom50", "result.json", false, true},
    {Format::kCanvas, "canvas", "canvas.csv", false, false},
    {Format::kMoodle, "moodle", "moodle.csv", false, false},
};
constexpr const char* kKnown =
    "expected gradescope, classroom50, junit, csv, lms, canvas, moodle, json or html, with =FILE "
    "for a place of your own";

const FormatInfo& info_of(Format format) {
  return *std::find_if(std::begin(kFormats), std::end(kFormats),
                       [&](const FormatInfo& info) { return info.format == format; });
}

// Replaces an earlier wish for the same format: the last one counts.
void want(std::vector<WantedFile>& files, const FormatInfo& info, fs::path file) {
  for (WantedFile& wanted : files) {
    if (wanted.format != info.format) continue;
    wanted.file = std::move(file);
    return;
  }
  files.push_back({info.format, std::move(file)});
}

std::string text_of(Format format, const Class& submissions, const GradeResult& result,
                    const std::vector<Score>& scores, const FormatOptions& options) {
  switch (format) {
    case Format::kJson:
      return grades_json(submissions, result);
    case Format::kCsv:
      return grades_csv(result);
    case Format::kJunit:
      return junit_xml(result);
    case Format::kHtml:
      return html_page(submissions, result);
    case Format::kGradescope:
      return gradescope_json(result, scores);
    case Format::kClassroom50:
      return classroom50_json(result, scores, options.classroom50);
    case Format::kCanvas:
      return canvas_csv(submissions, result, options);
    case Format::kMoodle:
      return moodle_csv(submissions, result, options);
  }
  return {};
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

}  // namespace

bool is_for_one(Format format) { return info_of(format).for_one; }

std::string_view name_of(Format format) { return info_of(format).name; }

Result<std::vector<WantedFile>> read_formats(const std::vector<std::string>& texts,
                                             const fs::path& out) {
  std::vector<WantedFile> files;
  for (const FormatInfo& info : kFormats) {
    if (info.always) files.push_back({info.format, out / info.file});
  }
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const std::string place = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (name == "lms") {
      if (equals != std::string::npos) {
        return make_error("usage", "--format " + text + ": lms is two files",
                          "name them one by one: canvas=FILE, moodle=FILE");
      }
      for (const FormatInfo& info : kFormats) {
        if (info.format == Format::kCanvas || info.format == Format::kMoodle)
          want(files, info, out / info.file);
      }
      continue;
    }
    const auto* info = std::find_if(std::begin(kFormats), std::end(kFormats),
                                    [&](const FormatInfo& known) { return known.name == name; });
    if (info == std::end(kFormats))
      return make_error("usage", "--format " + text + ": there is no such format", kKnown);
    if (equals != std::string::npos && place.empty())
      return make_error("usage", "--format " + text + ": no file is named after '='", kKnown);
    std::error_code ignored;
    want(files, *info,
         place.empty() ? out / info->file
                       : fs::absolute(path_as_typed(place), ignored).lexically_normal());
  }
  return files;
}

Result<Classroom50Run> classroom50_run() {
  Classroom50Run run;
  const std::pair<const char*, std::string*> needed[] = {
      {"CLASSROOM", &run.classroom},       {"ASSIGNMENT", &run.assignment},
      {"SUBMISSION_TAG", &run.submission}, {"COMMIT_URL", &run.commit},
      {"RELEASE_URL", &run.release},
  };
  for (const auto& [name, value] : needed) {
    *value = variable(name);
    if (!value->empty()) continue;
    return make_error("usage",
                      std::string("--format classroom50: the variable ") + name + " is not set",
                      "Classroom 50's runner sets it: start warpshop from the assignment's "
                      "autograder.py");
  }
  if (!run.submission.starts_with("submit/")) {
    return make_error("usage", "--format classroom50: SUBMISSION_TAG is '" + run.submission + "'",
                      "expected a tag that starts with submit/");
  }
  run.review = variable("REVIEW_URL");
  if (run.review.empty()) run.review = run.commit;
  run.owner = variable("OWNER");
  if (run.owner.empty()) run.owner = variable("USERNAME");
  run.assignment_type = variable("ASSIGNMENT_TYPE");
  run.datetime = utc_now("%Y-%m-%dT%H:%M:%SZ");
  return run;
}

Result<WrittenFiles> write_reports(const std::vector<WantedFile>& files, const Class& submissions,
                                   GradeResult& result, const FormatOptions& options) {
  const std::vector<Score> scores = give_points(submissions, options.points, result);
  const bool all_known = std::all_of(scores.begin(), scores.end(),
                                     [](const Score& score) { return score.points.has_value(); });
  WrittenFiles out;
  for (const auto& [format, file] : files) {
    if (is_for_one(format) && !all_known) {
      out.withheld.push_back(file);
      continue;
    }
    const Status written =
        write_file_atomically(file, text_of(format, submissions, result, scores, options));
    if (!written.ok()) return written.errors();
    out.written.push_back(file);
  }
  return out;
}

}  // namespace warpshop::grade
