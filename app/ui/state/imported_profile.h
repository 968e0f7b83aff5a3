// A profile of Nsight Compute that was imported for a step, beside the results on screen.
#pragma once

#include <string_view>
#include <vector>

#include "core/diagnostic.h"
#include "lab/profile_comparison.h"

namespace warpshop::ui {

struct ImportedProfile {
  lab::Profile profile;
  // The sizes of the result on screen that it fits.
  std::vector<lab::ProfiledSize> sizes;
  Diagnostics problems;  // why it fits none

  // Null: it does not fit this size.
  const lab::ProfileComparison* of(const lab::SizeResult& size) const {
    for (const lab::ProfiledSize& at : sizes) {
      if (at.size == &size) return &at.comparison;
    }
    return nullptr;
  }
};

}  // namespace warpshop::ui
