// The student's files. Written atomically; what is replaced on purpose is kept under history/.
#include "lab/workspace.h"

#include "core/files.h"
#include "core/utc.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

// user_dir()/history/LAB/STEP-20260131-142501.cu; a number behind it when that is taken.
fs::path history_file(const Lab& lab, const Step& step) {
  const fs::path folder = user_dir() / "history" / lab.id;
  const std::string stem = step.id + "-" + utc_now("%Y%m%d-%H%M%S");
  fs::path path = folder / (stem + ".cu");
  std::error_code ignored;
  for (int n = 2; fs::exists(path, ignored); ++n) {
    path = folder / (stem + "-" + std::to_string(n) + ".cu");
  }
  return path;
}

// Adds what a student can do about a folder that cannot be written.
Diagnostics with_help(Diagnostics errors) {
  for (Diagnostic& error : errors) {
    error.message = sentence("your text was not saved: {error}", {{"error", error.message}});
    error.help = sentence(
        "make the folder writable, or set WARPSHOP_HOME to one that is; the text stays in the "
        "editor and can be run");
  }
  return errors;
}

Status keep_in_history(const Lab& lab, const Step& step, const std::string& text, fs::path* kept) {
  *kept = history_file(lab, step);
  return write_file_atomically(*kept, text);
}

}  // namespace

fs::path student_file(const Lab& lab, const Step& step) {
  return user_dir() / "work" / lab.id / (step.id + ".cu");
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
    fs::path kept;
    if (before.ok() && *before != text) {
      const Status copied = keep_in_history(lab, step, *before, &kept);
      if (!copied.ok()) return with_help(copied.errors());
    }
  }
  const Status written = write_file_atomically(path, text);
  if (!written.ok()) return with_help(written.errors());
  return success();
}

Result<fs::path> reset_student_file(const Lab& lab, const Step& step) {
  const Result<std::string> before = open_student_file(lab, step);
  if (!before.ok()) return before.errors();
  fs::path kept;
  const Status copied = keep_in_history(lab, step, *before, &kept);
  if (!copied.ok()) return with_help(copied.errors());
  const Status written =
      save_student_file(lab, step, step.exercise ? step.exercise->skeleton : std::string());
  if (!written.ok()) return written.errors();
  return kept;
}

}  // namespace warpshop::lab
