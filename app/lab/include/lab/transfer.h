// Exports and imports a student's texts and progress as one file, for moving between machines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "lab/lab.h"

namespace warpshop::lab {

// {"format": "warpshop-progress", "version": 1, "steps": {"LAB/STEP": {…}}, "texts": {"LAB/STEP":
// "…"}, "passed": {"LAB/STEP": "…"}}; the newest texts of exercises that were started, saved or
// not, and the last versions that passed. Error: progress or a text cannot be read.
Result<std::string> export_progress(const std::vector<Lab>& labs);

struct ImportReport {
  int steps = 0;      // steps whose progress changed
  int texts = 0;      // texts written
  int kept = 0;       // of these, the ones that moved a local text to history/
  Diagnostics notes;  // about steps for which there is no lab
};
// Merges: passed steps stay passed, the larger counts win, and of two passing versions the later
// one stays. Nothing is lost: a differing local text moves to history/. Error: not an export file,
// with the reason; changes nothing.
Result<ImportReport> import_progress(std::string_view text, const std::vector<Lab>& labs);

}  // namespace warpshop::lab
