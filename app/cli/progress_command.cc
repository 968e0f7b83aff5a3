#include "cli/main_cli.h"
#include "commands.h"
#include "core/files.h"
#include "lab/lab.h"
#include "lab/transfer.h"
#include "terminal.h"

namespace warpshop::cli {

int progress_command(const ProgressOptions& options) {
  const lab::LabLibrary library = lab::load_labs(lab::lab_places());
  if (!options.import_file) {
    const Result<std::string> text = lab::export_progress(library.labs);
    if (!text.ok()) return fail(text.errors());
    const Status written = write_file_atomically(options.file, *text);
    if (!written.ok()) return fail(written.errors());
    print("your texts and progress are in " + options.file + "\n");
    return kAllPassed;
  }
  const Result<std::string> text = read_file(options.file);
  if (!text.ok()) return fail(text.errors());
  Result<lab::ImportReport> report = lab::import_progress(*text, library.labs);
  if (!report.ok()) {
    Diagnostics errors = report.errors();
    for (Diagnostic& error : errors) {
      if (error.place.file.empty()) error.place.file = options.file;
    }
    return fail(errors);
  }
  if (!report->notes.empty()) print_error(render(report->notes) + "\n");
  print(std::to_string(report->steps) + " steps and " + std::to_string(report->texts) +
        " texts imported");
  if (report->kept > 0) {
    print("; " + std::to_string(report->kept) + " differing texts were moved to " +
          (user_dir() / "history").string());
  }
  print("\n");
  return kAllPassed;
}

}  // namespace warpshop::cli
