// Writes a student's work in the folder layout that a teacher grades: docs/grading.md, "Grading a
// class".
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"
#include "lab/lab.h"
#include "lab/workspace.h"

namespace warpshop::lab {

struct HandedIn {
  std::string place;  // "LAB/STEP"
  std::string title;  // of the step
  StandingText::Version version = StandingText::Version::kLatest;
  bool changed_since = false;  // see StandingText
};

size_t passed_among(const std::vector<HandedIn>& kernels);

// Returns what hand_in() would write. Error: a text that cannot be read.
Result<std::vector<HandedIn>> work_to_hand_in(const std::vector<const Lab*>& labs);

// Writes the standing text of every exercise that was started to PLACE/LAB/STEP.cu, replacing
// existing files, or, if the place is named NAME.zip, to LAB/STEP.cu in that archive. Error: a text
// that cannot be read, or a place that cannot be written.
Result<std::vector<HandedIn>> hand_in(const std::vector<const Lab*>& labs,
                                      const std::filesystem::path& place);

}  // namespace warpshop::lab
