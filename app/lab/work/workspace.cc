// The student's files. Written atomically; deliberately replaced texts are kept under history/.
#include "lab/workspace.h"

#include "core/files.h"
#include "core/utc.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

// user_dir()/history/FOLDER/NAME-20260131-142501 and the extension; with a number before it if that
// exists.
fs::path history_place(const std::string& folder, const std::string& name,
                       const std::string& extension) {
  const fs::path in = user_dir() / "history" / folder;
  const std::string stem = name + "-" + utc_now("%Y%m%d-%H%M%S");
  fs::path path = in / (stem + extension);
  std::error_code ignored;
  for (int n = 2; fs::exists(path, ignored); ++n)
    path = in / (stem + "-" + std::to_string(n) + extension);
  return path;
}

// Adds advice on what to do about a folder that cannot be written.
Diagnostics with_help(Diagnostics errors) {
  for (Diagnostic& error : errors) {
    error.message = sentence("your text was not saved: {error}", {{"error", error.message}});
    error.help = error.kind == kDiskFull
                     ? sentence(
                           "free some space on that disk, then save again; the text stays in the "
                           "editor and can be run")
                     : sentence(
                           "make the folder writable, or set WARPSHOP_HOME to one that is; the "
                           "text stays in the editor and can be run");
  }
  return errors;
}

}  // namespace

Result<fs::path> keep_in_history(const Lab& lab, const Step& step, const std::string& text) {
  const fs::path kept = history_place(lab.id, step.id, ".cu");
  const Status written = write_file_atomically(kept, text);
  if (!written.ok()) return with_help(written.errors());
  return kept;
}

fs::path student_file(const Lab& lab, const Step& step) {
  return user_dir() / "work" / lab.id / (step.id + ".cu");
}

fs::path window_folder(const std::string& name, int window) {
  return user_dir() / (window > 1 ? name + "-" + std::to_string(window) : name);
}

fs::path draft_file(const Lab& lab, const Step& step, int window) {
  return window_folder("autosave", window) / lab.id / (step.id + ".cu");
}

Status save_draft(const Lab& lab, const Step& step, int window, const std::string& text) {
  const Status written = write_file_atomically(draft_file(lab, step, window), text);
  return written.ok() ? success() : Status(with_help(written.errors()));
}

Result<std::optional<WrittenText>> newest_text(const Lab& lab, const Step& step) {
  std::vector<fs::path> paths = {student_file(lab, step)};
  for (int window = 1; window <= kMostWindows; ++window)
    paths.push_back(draft_file(lab, step, window));
  fs::path newest;
  fs::file_time_type newest_at;
  for (const fs::path& path : paths) {
    std::error_code error;
    const fs::file_time_type at = fs::last_write_time(path, error);
    if (error || (!newest.empty() && at < newest_at)) continue;
    newest = path;
    newest_at = at;
  }
  if (newest.empty()) return std::optional<WrittenText>();
  Result<std::string> text = read_file(newest);
  if (!text.ok()) return text.errors();
  return std::optional<WrittenText>({std::move(*text), newest});
}

Result<std::string> open_student_file(const Lab& lab, const Step& step) {
  const fs::path path = student_file(lab, step);
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return step.exercise ? step.exercise->skeleton : std::string();
  }
  return read_file(path);
}

Status save_student_file(const Lab& lab, const Step& step, const std::string& text,
                         bool keep_copy) {
  const fs::path path = student_file(lab, step);
  if (keep_copy) {
    const Result<std::string> before = read_file(path);
    if (before.ok() && *before != text) {
      const Result<fs::path> kept = keep_in_history(lab, step, *before);
      if (!kept.ok()) return kept.errors();
    }
  }
  const Status written = write_file_atomically(path, text);
  if (!written.ok()) return with_help(written.errors());
  return success();
}

Result<fs::path> set_aside(const Lab& lab) {
  const fs::path to = history_place("labs", lab.id, "");
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  if (!error) fs::rename(lab.folder, to, error);
  if (error) {
    return make_error_at({lab.folder.string()}, kNotWritable,
                         sentence("the lab's folder cannot be moved to {place}: {why}",
                                  {{"place", to.string()}, {"why", error.message()}}));
  }
  return to;
}

Result<fs::path> reset_student_file(const Lab& lab, const Step& step) {
  const Result<std::string> before = open_student_file(lab, step);
  if (!before.ok()) return before.errors();
  Result<fs::path> kept = keep_in_history(lab, step, *before);
  if (!kept.ok()) return kept;
  const Status written =
      save_student_file(lab, step, step.exercise ? step.exercise->skeleton : std::string());
  if (!written.ok()) return written.errors();
  return kept;
}

fs::path passed_file(const Lab& lab, const Step& step) {
  return user_dir() / "passed" / lab.id / (step.id + ".cu");
}

Status keep_passed_version(const Lab& lab, const Step& step, const std::string& text) {
  const fs::path path = passed_file(lab, step);
  const Result<std::string> before = read_file(path);
  if (before.ok() && (*before == text || (step.exercise && text == step.exercise->solution)))
    return success();
  const Status written = write_file_atomically(path, text);
  return written.ok() ? success() : Status(with_help(written.errors()));
}

Result<std::optional<std::string>> passed_version(const Lab& lab, const Step& step) {
  const fs::path path = passed_file(lab, step);
  std::error_code error;
  if (fs::status(path, error).type() == fs::file_type::not_found)
    return std::optional<std::string>();
  Result<std::string> text = read_file(path);
  if (!text.ok()) return text.errors();
  return std::optional<std::string>(std::move(*text));
}

Result<StandingText> standing_text(const Lab& lab, const Step& step) {
  const Result<std::optional<WrittenText>> newest = newest_text(lab, step);
  if (!newest.ok()) return newest.errors();
  const std::string skeleton = step.exercise ? step.exercise->skeleton : std::string();
  const std::string& latest = newest->has_value() ? (*newest)->text : skeleton;
  Result<std::optional<std::string>> passed = passed_version(lab, step);
  if (!passed.ok()) return passed.errors();
  using Version = StandingText::Version;
  if (passed->has_value()) {
    const bool changed = **passed != latest;
    return StandingText{Version::kPassed, std::move(**passed), changed};
  }
  const bool begun = !step.exercise || latest != skeleton;
  return StandingText{begun ? Version::kLatest : Version::kNotBegun, latest};
}

}  // namespace warpshop::lab
