// A student's texts and progress as one file, for moving between machines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "lab/lab.h"

namespace warpshop::lab {

// {"format": "warpshop-progress", "version": 1, "steps": {"LAB/STEP": {…}}, "texts": {"LAB/STEP":
// "…"}, "passed": {"LAB/STEP": "…"}}; texts of exercises that were begun, and the last versions that
// passed. Error: progress or a text that cannot be read.
Result<std::string> export_progress(const std::vector<Lab>& labs);

struct ImportReport {
  int steps = 0;      // whose progress changed
  int texts = 0;      // written
  int kept = 0;       // of these, whose text here went to history/
  Diagnostics notes;  // steps that there are no labs for
};
// Merges: passed stays passed, the larger counts count, of two versions that passed the later one
// stays. Nothing here is lost: a text that differs is kept under history/. Error: not such a file,
// with what is wrong; then nothing is changed.
Result<ImportReport> import_progress(std::string_view text, const std::vector<Lab>& labs);

}  // namespace warpshop::lab
