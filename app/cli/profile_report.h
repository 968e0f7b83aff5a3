// --profile: an imported profile beside the run, as text and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/profile_comparison.h"
#include "run_json.h"
#include "terminal.h"

namespace warpshop::cli {

// A table of counters and the time with their notes. `size`: the label of the exercise's size; may
// be empty.
std::string profile_report(const lab::ProfileComparison& comparison, const std::string& size,
                           const Paint& paint);

Json json_of(const lab::ProfileComparison& comparison);
// "profile", or "profile_problems" if the profile does not fit the run.
void add_profile(const std::optional<Result<lab::ProfileComparison>>& comparison, Json& out);
// "profiles", one for each size of the exercise that the profile fits, or "profile_problems".
void add_profiles(const Result<std::vector<lab::ProfiledSize>>& compared, Json& out);

}  // namespace warpshop::cli
