// Compares the models with the chip: every access of the
// 246 measured cases, and every counter, exactly.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <filesystem>

#include "kernel_accesses.h"
#include "models/banks.h"
#include "models/coalescer.h"

namespace warpshop::models {
namespace {

using Counts = std::map<std::string, int64_t>;

Counts count(const HardwareCase& c) {
  Counts n;
  const bool known = for_each_access(c, [&](AccessSpace space, AccessOperation operation,
                                            const WarpRequest& request) {
    if (space == AccessSpace::kGlobal) {
      const CoalescerCounts counts = count_sectors(request);
      n["theoretical_sectors"] += counts.sectors;
      n["theoretical_sectors_ideal"] += counts.ideal_sectors;
      if (operation == AccessOperation::kReduction) {
        n["global_reduction_requests"] += counts.requests;
        n["global_reduction_sectors"] += count_atomic_sectors(request);
        return;
      }
      const std::string kind =
          operation == AccessOperation::kLoad ? "global_load_" : "global_store_";
      n[kind + "instructions"] += 1;
      n[kind + "requests"] += counts.requests;
      n[kind + "sectors"] += counts.sectors;
      return;
    }
    const SharedAccess how = operation == AccessOperation::kLoad    ? SharedAccess::kLoad
                             : operation == AccessOperation::kStore ? SharedAccess::kStore
                                                                    : SharedAccess::kCountingAdd;
    const BankCounts counts = count_wavefronts(request, how);
    n["shared_wavefronts"] += counts.wavefronts;
    n["shared_wavefronts_ideal"] += counts.ideal_wavefronts;
    if (how == SharedAccess::kCountingAdd) return;
    const std::string kind = how == SharedAccess::kLoad ? "shared_load_" : "shared_store_";
    n[kind + "instructions"] += 1;
    n[kind + "wavefronts"] += counts.wavefronts;
  });
  EXPECT_TRUE(known) << c.kernel << " is not written down in kernel_accesses.cc";
  return n;
}

// deviations.toml: (case, counter) → our count.
std::map<std::pair<std::string, std::string>, int64_t> load_deviations() {
  const toml::table file = toml::parse_file(
      (std::filesystem::path(WARPSHOP_TESTS_DIR) / "hardware" / "deviations.toml").string());
  std::map<std::pair<std::string, std::string>, int64_t> all;
  for (const toml::node& node : *file["deviation"].as_array()) {
    const toml::table& row = *node.as_table();
    EXPECT_FALSE(row["reason"].value_or(std::string()).empty());
    EXPECT_FALSE(row["sass"].value_or(std::string()).empty());
    all[{row["case"].value_or(std::string()), row["counter"].value_or(std::string())}] =
        row["ours"].value_or(int64_t{-1});
  }
  return all;
}

TEST(Truth, EveryCounterOfEveryMeasuredCaseIsExact) {
  const std::vector<HardwareCase> cases = load_hardware_cases();
  ASSERT_EQ(cases.size(), 246U);
  auto deviations = load_deviations();
  EXPECT_LE(deviations.size(), 5U);
  const char* const names[] = {
      "global_load_instructions",  "global_store_instructions", "global_load_requests",
      "global_store_requests",     "global_load_sectors",       "global_store_sectors",
      "global_reduction_requests", "global_reduction_sectors",  "shared_load_instructions",
      "shared_store_instructions", "shared_load_wavefronts",    "shared_store_wavefronts",
      "shared_wavefronts",         "shared_wavefronts_ideal",   "theoretical_sectors",
      "theoretical_sectors_ideal"};
  for (const HardwareCase& c : cases) {
    SCOPED_TRACE(c.name);
    Counts ours = count(c);
    for (const char* name : names) {
      int64_t expected = static_cast<int64_t>(c.counters.at(name));
      const auto deviation = deviations.find({c.name, name});
      if (deviation != deviations.end()) {
        EXPECT_NE(deviation->second, expected) << name << ": no longer a deviation";
        expected = deviation->second;
        deviations.erase(deviation);
      }
      EXPECT_EQ(ours[name], expected) << name;
    }
  }
  for (const auto& [key, ours] : deviations)
    ADD_FAILURE() << key.first << " " << key.second << " is not a case";
}

}  // namespace
}  // namespace warpshop::models
