// Assigns each file to its student and exercise. Never follows links.
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>

#include "core/ascii.h"
#include "core/beneath.h"
#include "core/utf8.h"
#include "grade/grade.h"

namespace warpshop::grade {
namespace {

namespace fs = std::filesystem;

// Limits on listed oddities: per student, so that one student cannot crowd out the others, and in
// total.
constexpr size_t kMostOfStudent = 5;
constexpr size_t kMostIgnored = 1000;

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
                        "give LAB or LAB/STEP; to list them: warpshop labs");
    }
  }
  return out;
}

// Whether a name may be shown with the character that `rest` begins with: it is valid, no C0 or C1
// control character, none that reorders text, and one of XML 1.0.
bool is_shown(std::string_view rest) {
  const size_t length = utf8_length(rest);
  if (length == 0 || is_bidirectional(code_point(rest.substr(0, length)))) return false;
  const auto first = static_cast<unsigned char>(rest[0]);
  const bool c1 = first == 0xC2 && rest.size() > 1 && static_cast<unsigned char>(rest[1]) < 0xA0;
  return first >= 0x20 && first != 0x7F && first != '%' && !c1 && !rest.starts_with("\uFFFE") &&
         !rest.starts_with("\uFFFF");
}

// As learning platforms hand them out, and students hand them in: nothing in them is graded.
bool is_archive(const std::string& name) {
  const std::string end_of = lower(name);
  for (const char* end : {".zip", ".tar", ".tgz", ".tar.gz", ".tar.xz", ".7z", ".rar"}) {
    if (end_of.ends_with(end)) return true;
  }
  return false;
}

// Sorts one student's folders and files into exercises.
class StudentFolder {
 public:
  StudentFolder(const Class& submissions, fs::path folder, const std::vector<lab::Lab>& labs,
                const std::vector<Exercise>& exercises, const std::map<std::string, int>& steps)
      : root_(submissions.root->get()), folder_(std::move(folder)), labs_(labs) {
    for (const Exercise& exercise : exercises) {
      const std::string lab = exercise.first->id;
      const std::string step = exercise.second->id + ".cu";
      names_[lab + "/" + step].push_back(exercise);
      names_[lab + "-" + step].push_back(exercise);
      if (steps.at(exercise.second->id) == 1) {
        names_[step].push_back(exercise);
      } else {
        ambiguous_.insert(step);
      }
    }
  }

  void read() {
    const Result<std::vector<FolderEntry>> entries = list(".");
    if (!entries.ok()) {
      unreadable_ = shown_name(folder_.string()) +
                    " cannot be read: " + entries.errors().front().message.english();
      return;
    }
    // LAB/STEP.cu takes precedence over the other names.
    for (const FolderEntry& entry : *entries) {
      if (is_lab(entry.name)) read_lab(entry);
    }
    for (const FolderEntry& entry : *entries) {
      if (is_lab(entry.name) || !is_odd(entry.name, entry.kind)) continue;
      if (take(entry.name)) continue;
      if (lower(entry.name).ends_with(".cu")) {
        matches_none(entry.name);
      } else if (is_archive(entry.name)) {
        odd(entry.name, "is an archive: unpack it where it is");
      } else if (is_lab(lower(entry.name)) && entry.kind == EntryKind::kFolder) {
        odd(entry.name,
            "is not the lab's folder " + lower(entry.name) + ": names are case-sensitive");
      }
    }
  }

  fs::path file_of(const Exercise& exercise) const {
    const auto file = files_.find(exercise);
    return file == files_.end() ? fs::path() : folder_ / file->second;
  }
  // Why it is unknown whether the exercise was handed in; empty: it is known.
  std::string unreadable(const Exercise& exercise) const {
    const auto lab = unreadable_labs_.find(exercise.first->id);
    return !unreadable_.empty() || lab == unreadable_labs_.end() || files_.contains(exercise)
               ? unreadable_
               : lab->second;
  }
  std::vector<std::string> unreadable() const {
    std::vector<std::string> out;
    if (!unreadable_.empty()) out.push_back(unreadable_);
    for (const auto& [lab, why] : unreadable_labs_) out.push_back(why);
    return out;
  }
  const std::vector<std::string>& oddities() const { return oddities_; }
  std::string left_alone() const {
    std::string out;
    for (size_t i = 0; i < odd_names_.size() && i < 3; ++i)
      out += (i == 0 ? "" : ", ") + odd_names_[i];
    return odd_names_.size() > 3 ? out + ", …" : out;
  }

 private:
  Result<std::vector<FolderEntry>> list(const fs::path& below) const {
    return entries_beneath(root_, below == "." ? folder_ : folder_ / below);
  }

  bool is_lab(const std::string& name) const {
    return std::any_of(labs_.begin(), labs_.end(),
                       [&](const lab::Lab& lab) { return lab.id == name; });
  }

  // Whether to list a file that belongs to no exercise; a folder of headers, say, is the student's
  // business.
  bool is_odd(const std::string& name, EntryKind kind) const {
    return lower(name).ends_with(".cu") || is_archive(name) || names_.contains(name) ||
           (kind == EntryKind::kFolder && is_lab(lower(name)));
  }

  void read_lab(const FolderEntry& lab) {
    if (lab.kind == EntryKind::kLink) return odd(lab.name, "is a link and is not followed");
    if (lab.kind != EntryKind::kFolder) return odd(lab.name, "is not a folder");
    const Result<std::vector<FolderEntry>> entries = list(lab.name);
    if (!entries.ok()) {
      unreadable_labs_[lab.name] = shown_name((folder_ / lab.name).lexically_normal().string()) +
                                   " cannot be read: " + entries.errors().front().message.english();
      return;
    }
    for (const FolderEntry& entry : *entries) {
      const std::string name = lab.name + "/" + entry.name;
      if (take(name)) continue;
      if (lower(entry.name).ends_with(".cu")) {
        matches_none(name);
      } else if (is_archive(entry.name)) {
        odd(name, "is an archive: unpack it where it is");
      }
    }
  }

  // True: the name is an exercise's, even if the entry is a link or a folder, which is refused
  // later with a reason.
  bool take(const std::string& name) {
    const auto named = names_.find(name);
    if (named == names_.end()) return false;
    for (const Exercise& exercise : named->second) {
      const auto [known, is_first] = files_.try_emplace(exercise, name);
      if (!is_first) odd(name, "is ignored in favour of " + known->second);
    }
    return true;
  }

  std::string nearly(const std::string& name) const {
    const std::string small = lower(name);
    if (names_.contains(small)) return ": names are case-sensitive, " + small + " is one";
    if (ambiguous_.contains(small))
      return ": several labs have this step, LAB/" + small + " is one";
    return {};
  }

  void matches_none(const std::string& name) {
    const std::string near = nearly(name);
    odd(name, "matches no exercise" + near, !near.empty());
  }

  // Near misses come first: they may be what is missing.
  void odd(const std::string& name, const std::string& why, bool near = true) {
    const size_t at = near ? near_++ : oddities_.size();
    oddities_.insert(oddities_.begin() + static_cast<ptrdiff_t>(at),
                     shown_name((folder_ / name).lexically_normal().string()) + " " + why);
    odd_names_.insert(odd_names_.begin() + static_cast<ptrdiff_t>(at), shown_name(name));
  }

  int root_;
  fs::path folder_;
  const std::vector<lab::Lab>& labs_;
  std::map<std::string, std::vector<Exercise>> names_;
  std::map<Exercise, std::string> files_;
  std::string unreadable_;
  std::map<std::string, std::string> unreadable_labs_;
  std::vector<std::string> oddities_;
  std::vector<std::string> odd_names_;
  std::set<std::string> ambiguous_;  // names of steps that several labs have
  size_t near_ = 0;                  // the oddities that are near misses
};

// The list of ignored entries; the number of notes is bounded, that of errors is not.
class Ignored {
 public:
  explicit Ignored(Diagnostics& out) : out_(out) {}

  void note(const std::string& text) {
    if (notes_ < kMostIgnored) add(text, Severity::kNote);
    ++notes_;
  }
  void error(const std::string& text) { add(text, Severity::kError); }
  void of_student(const std::string& student, const std::vector<std::string>& oddities) {
    for (size_t i = 0; i < oddities.size() && i < kMostOfStudent; ++i) note(oddities[i]);
    if (oddities.size() > kMostOfStudent) {
      note(student + ": " + std::to_string(oddities.size() - kMostOfStudent) + " more");
    }
  }
  void end() {
    if (notes_ > kMostIgnored) {
      add(std::to_string(notes_ - kMostIgnored) + " more", Severity::kNote);
    }
  }

 private:
  void add(const std::string& text, Severity severity) {
    Diagnostic line =
        severity == Severity::kError
            ? make_error("unreadable", text, "make it readable for yourself, and grade again")
            : make_error("ignored", text);
    line.severity = severity;
    out_.push_back(std::move(line));
  }

  Diagnostics& out_;
  size_t notes_ = 0;
};

}  // namespace

std::string shown_name(const std::string& bytes) {
  std::string out;
  for (size_t at = 0; at < bytes.size();) {
    const std::string_view rest = std::string_view(bytes).substr(at);
    const auto byte = static_cast<unsigned char>(rest[0]);
    const size_t length = is_shown(rest) ? utf8_length(rest) : 0;
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

namespace {

// The open folder, and what is in it. Error: the folder cannot be read; `expected` says what was
// meant.
Result<std::vector<FolderEntry>> open_root(const fs::path& folder, const char* expected,
                                           Class& out) {
  out.root = std::make_shared<const Descriptor>(open_folder(folder));
  Result<std::vector<FolderEntry>> entries =
      out.root->is_open()
          ? entries_beneath(out.root->get(), ".")
          : Result<std::vector<FolderEntry>>(make_error("file", std::strerror(errno)));
  if (entries.ok()) return entries;
  if (is_archive(folder.filename()))
    return make_error("file", folder.string() + " is an archive, and grade reads folders only",
                      "unpack it first: docs/grading.md, \"Handing in\"");
  return make_error(
      "file",
      folder.string() + " is not a readable folder: " + entries.errors().front().message.english(),
      expected);
}

// Whose results a folder holds, if `grade STUDENT --one` has put it beside the student's; else
// empty.
std::string graded_beside(const std::vector<FolderEntry>& entries, const std::string& name,
                          int root) {
  constexpr std::string_view kEnd = "-grades";  // grade_command.cc
  if (!name.ends_with(kEnd)) return {};
  const std::string student = name.substr(0, name.size() - kEnd.size());
  const auto has = [](const std::vector<FolderEntry>& all, const std::string& wanted) {
    return std::any_of(all.begin(), all.end(),
                       [&](const FolderEntry& entry) { return entry.name == wanted; });
  };
  if (!has(entries, student)) return {};
  const Result<std::vector<FolderEntry>> within = entries_beneath(root, name);
  return within.ok() && has(*within, "inputs-seed") && has(*within, "grades.jsonl") ? student
                                                                                    : std::string();
}

// The students' folders, by displayed name.
std::map<std::string, fs::path> student_folders(const std::vector<FolderEntry>& entries, int root,
                                                Ignored& ignored) {
  std::map<std::string, fs::path> students;
  for (const FolderEntry& entry : entries) {
    const std::string name = shown_name(entry.name);
    if (entry.kind == EntryKind::kLink) {
      ignored.note(name + " is a link and is not followed");
    } else if (entry.kind != EntryKind::kFolder && is_archive(entry.name)) {
      ignored.note(name + " is an archive: unpack it into a folder with the student's name");
    } else if (entry.kind != EntryKind::kFolder) {
      ignored.note(name + " is not a student's folder");
    } else if (entry.name[0] == '.') {
      ignored.note(name + " starts with '.', so it is not taken for a student's folder");
    } else if (const std::string of = graded_beside(entries, entry.name, root); !of.empty()) {
      ignored.note(name + " has the results of " + shown_name(of) +
                   ", so it is not taken for a student's folder");
    } else {
      students.emplace(name, entry.name);
    }
  }
  return students;
}

// Adds the students' files for the exercises to `out`. Error: no such exercise, or nothing to
// grade; `help` says how files are named.
Status read_students(const std::map<std::string, fs::path>& students,
                     const std::vector<lab::Lab>& labs, const std::vector<std::string>& wanted,
                     const fs::path& folder, const char* help, Ignored& ignored, Class& out) {
  const std::vector<Exercise> all = all_exercises(labs);
  std::map<std::string, int> steps;
  for (const Exercise& exercise : all) ++steps[exercise.second->id];
  Result<std::vector<Exercise>> exercises = chosen(all, wanted);
  if (!exercises.ok()) return exercises.errors();

  std::map<std::string, StudentFolder> folders;
  for (const auto& [student, path] : students) {
    out.students.push_back(student);
    StudentFolder& folder_of =
        folders.try_emplace(student, out, path, labs, all, steps).first->second;
    folder_of.read();
    for (const std::string& why : folder_of.unreadable()) ignored.error(why);
    ignored.of_student(student, folder_of.oddities());
  }
  ignored.end();
  for (const Exercise& exercise : wanted.empty() ? all : *exercises) {
    const bool handed_in = std::any_of(folders.begin(), folders.end(), [&](const auto& of) {
      return !of.second.file_of(exercise).empty();
    });
    if (wanted.empty() && !handed_in) continue;
    out.exercises.push_back(exercise);
    for (const auto& [student, path] : students) {
      const StudentFolder& folder_of = folders.at(student);
      out.submissions.push_back({.student = student,
                                 .folder = path,
                                 .lab = exercise.first,
                                 .step = exercise.second,
                                 .file = folder_of.file_of(exercise),
                                 .unreadable = folder_of.unreadable(exercise),
                                 .left_alone = folder_of.left_alone()});
    }
  }
  if (!out.exercises.empty()) return success();
  Diagnostics errors = {make_error("file", "no exercise files in " + folder.string(), help)};
  for (const Diagnostic& problem : out.ignored) {
    const bool archive = problem.message.english().find(" is an archive: ") != std::string::npos;
    if (problem.severity == Severity::kError || (archive && errors.size() < 4))
      errors.push_back(problem);
  }
  return errors;
}

}  // namespace

Result<Class> find_submissions(const fs::path& folder, const std::vector<lab::Lab>& labs,
                               const std::vector<std::string>& wanted) {
  Class out;
  const Result<std::vector<FolderEntry>> entries =
      open_root(folder, "grade expects a folder with one folder per student", out);
  if (!entries.ok()) return entries.errors();
  Ignored ignored(out.ignored);
  const Status read =
      read_students(student_folders(*entries, out.root->get(), ignored), labs, wanted, folder,
                    "name them STUDENT/LAB/STEP.cu or STUDENT/LAB-STEP.cu; warpshop labs lists "
                    "labs and steps",
                    ignored, out);
  if (!read.ok()) return read.errors();
  return out;
}

Result<Class> find_submission(const fs::path& folder, const std::vector<lab::Lab>& labs,
                              const std::vector<std::string>& wanted) {
  Class out;
  const Result<std::vector<FolderEntry>> entries =
      open_root(folder, "grade --one expects one student's folder", out);
  if (!entries.ok()) return entries.errors();
  Ignored ignored(out.ignored);
  const Status read = read_students(
      {{shown_name(folder.filename().string()), "."}}, labs, wanted, folder,
      "name them LAB/STEP.cu or LAB-STEP.cu; warpshop labs lists labs and steps", ignored, out);
  if (!read.ok()) return read.errors();
  return out;
}

}  // namespace warpshop::grade
