// Which file is whose, and of which exercise. Links are never followed.
#include <algorithm>
#include <cstdio>
#include <set>

#include "grade/grade.h"

namespace warpshop::grade {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostIgnored = 200;

// The bytes of the UTF-8 character at the begin of `text`; 0 when there is none. RFC 3629.
size_t utf8_length(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const size_t length = first < 0x80                     ? 1
                        : first >= 0xC2 && first <= 0xDF ? 2
                        : first >= 0xE0 && first <= 0xEF ? 3
                        : first >= 0xF0 && first <= 0xF4 ? 4
                                                         : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;                      // surrogates
  if (first == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE) return 0;  // not in XML 1.0
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  if (first == 0xC2 && byte(1) < 0xA0) return 0;  // C1 control characters
  return length;
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type() == fs::file_type::directory;
}

// A file's name is there, whatever it is: a link or a folder is refused later, with its reason.
bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type() != fs::file_type::not_found && !error;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    out.push_back(at->path().filename());
  }
  std::sort(out.begin(), out.end());
  return out;
}

using Exercise = std::pair<const lab::Lab*, const lab::Step*>;

std::vector<Exercise> all_exercises(const std::vector<lab::Lab>& labs) {
  std::vector<Exercise> out;
  for (const lab::Lab& lab : labs) {
    for (const lab::Step& step : lab.steps) {
      if (step.exercise) out.emplace_back(&lab, &step);
    }
  }
  return out;
}

// The first of the names that is there; empty when none is.
fs::path file_of(const fs::path& folder, const Exercise& exercise, bool step_is_unique) {
  const std::string step = exercise.second->id + ".cu";
  const std::string lab = exercise.first->id;
  if (is_folder(folder / lab) && is_there(folder / lab / step)) return folder / lab / step;
  if (is_there(folder / (lab + "-" + step))) return folder / (lab + "-" + step);
  if (step_is_unique && is_there(folder / step)) return folder / step;
  return {};
}

Result<std::vector<Exercise>> chosen(const std::vector<Exercise>& all,
                                     const std::vector<std::string>& wanted) {
  std::vector<Exercise> out;
  for (const std::string& name : wanted) {
    bool found = false;
    for (const Exercise& exercise : all) {
      if (name != exercise.first->id && name != exercise.first->id + "/" + exercise.second->id)
        continue;
      found = true;
      if (std::find(out.begin(), out.end(), exercise) == out.end()) out.push_back(exercise);
    }
    if (!found) {
      return make_error("usage", "there is no exercise '" + name + "'",
                        "warpshop labs lists them: LAB or LAB/STEP");
    }
  }
  return out;
}

}  // namespace

std::string shown_name(const std::string& bytes) {
  std::string out;
  for (size_t at = 0; at < bytes.size();) {
    const std::string_view rest = std::string_view(bytes).substr(at);
    const auto byte = static_cast<unsigned char>(rest[0]);
    const size_t length = byte < 0x20 || byte == 0x7F || byte == '%' ? 0 : utf8_length(rest);
    if (length == 0) {
      char text[8];
      std::snprintf(text, sizeof text, "%%%02X", byte);
      out += text;
      ++at;
    } else {
      out += rest.substr(0, length);
      at += length;
    }
  }
  return out;
}

Result<Class> find_submissions(const fs::path& folder, const std::vector<lab::Lab>& labs,
                               const std::vector<std::string>& wanted) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return make_error("file", folder.string() + " is not a folder that can be read",
                      "grade takes a folder with one folder for each student");
  }
  const std::vector<Exercise> all = all_exercises(labs);
  std::map<std::string, int> steps;
  for (const Exercise& exercise : all) ++steps[exercise.second->id];
  Result<std::vector<Exercise>> exercises = chosen(all, wanted);
  if (!exercises.ok()) return exercises.errors();

  Class out;
  const auto ignore = [&out](const fs::path& path, const std::string& why) {
    if (out.ignored.size() >= kMostIgnored) return;
    Diagnostic note = make_error("ignored", shown_name(path.string()) + " " + why);
    note.severity = Severity::kNote;
    out.ignored.push_back(std::move(note));
  };
  std::vector<std::pair<std::string, fs::path>> students;
  for (const fs::path& name : entries_of(folder)) {
    const fs::path path = folder / name;
    if (fs::symlink_status(path, error).type() == fs::file_type::symlink) {
      ignore(path, "is a link and is not followed");
    } else if (!is_folder(path)) {
      ignore(path, "is no student's folder");
    } else if (name.string()[0] != '.') {
      students.emplace_back(shown_name(name.string()), path);
    }
  }
  std::sort(students.begin(), students.end());

  std::map<Exercise, std::map<std::string, fs::path>> files;
  for (const auto& [student, path] : students) {
    out.students.push_back(student);
    std::set<fs::path> known;
    for (const Exercise& exercise : wanted.empty() ? all : *exercises) {
      const fs::path file = file_of(path, exercise, steps[exercise.second->id] == 1);
      if (file.empty()) continue;
      files[exercise][student] = file;
      known.insert(file);
    }
    if (!wanted.empty()) continue;
    for (const fs::path& name : entries_of(path)) {
      const bool is_lab = std::any_of(labs.begin(), labs.end(), [&, &path = path](const lab::Lab& lab) {
        return name == lab.id && is_folder(path / name);
      });
      if (!is_lab && !known.contains(path / name) && name.extension() == ".cu") {
        ignore(path / name, "is named as no exercise");
      }
    }
  }
  for (const Exercise& exercise : wanted.empty() ? all : *exercises) {
    if (wanted.empty() && !files.contains(exercise)) continue;
    out.exercises.push_back(exercise);
    for (const auto& [student, path] : students) {
      const auto& of = files[exercise];
      const auto file = of.find(student);
      out.submissions.push_back({student, path, exercise.first, exercise.second,
                                 file == of.end() ? fs::path() : file->second});
    }
  }
  if (out.exercises.empty()) {
    return make_error("file", "there is no exercise's file in " + folder.string(),
                      "name them STUDENT/LAB/STEP.cu or STUDENT/LAB-STEP.cu; warpshop labs lists "
                      "labs and steps");
  }
  return out;
}

}  // namespace warpshop::grade
