// Timing numbers derived from a relative, worked out by hand from the two files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "../lab/temporary_folder.h"
#include "models/gpu_profile.h"
#include "models/known_error.h"

namespace warpshop::models {
namespace {

using testing::HasSubstr;

GpuProfile shipped_profile(const char* id) {
  Result<GpuProfile> profile = find_gpu_profile(WARPSHOP_SOURCE_DIR, id);
  EXPECT_TRUE(profile.ok()) << render(profile.errors());
  return profile.ok() ? *profile : GpuProfile();
}

TEST(DerivedTiming, EachRuleScalesWithItsOwnNumber) {
  struct Case {
    const char* gpu;
    std::optional<double> GpuProfile::*number;
    double expected;
    const char* why;
  };
  const Case cases[] = {
      {"b200", &GpuProfile::block_starts_per_us, 1660 * 1965 / 1980.0, "the SM's clock"},
      {"b200", &GpuProfile::barrier_cycles, 13, "the same pipeline"},
      {"b200", &GpuProfile::l2_read_cycles, 1.0, "no rate of L2 is known: as per slice"},
      {"b200", &GpuProfile::l2_keeps_bytes, 34e6 * 132644864 / (60 << 20), "L2's size"},
      {"a10", &GpuProfile::dram_gb_s, 679 * 600 / 696.0, "the pins' bandwidth"},
      {"a10", &GpuProfile::l2_latency_cycles, 277, "the A40's, which has the L40's"},
      {"jetson-orin", &GpuProfile::dram_latency_cycles, 632 * 1300 / 2490.0, "the same time"},
      {"v100", &GpuProfile::l2_latency_cycles, 215, "its own number stays"},
  };
  for (const Case& c : cases) {
    const std::optional<double> number = shipped_profile(c.gpu).*c.number;
    ASSERT_TRUE(number.has_value()) << c.gpu;
    EXPECT_NEAR(*number / c.expected, 1, 6e-4) << c.gpu << ": " << c.why;
  }
}

TEST(DerivedTiming, SlicesMakeTheMeasuredRateOfL2) {
  for (const char* id : {"a100", "v100", "l40", "a40", "rtx-6000"}) {
    const GpuProfile p = shipped_profile(id);
    ASSERT_TRUE(p.l2_read_gb_s.has_value()) << id;
    // All slices serve requests of four sectors.
    const double line_cycles = *p.l2_read_cycles + 3 * *p.l2_read_sector_cycles;
    EXPECT_NEAR(*p.partition_count * *p.l2_clock_mhz * 128 / line_cycles / 1e3 / *p.l2_read_gb_s, 1,
                2e-3)
        << id;
  }
}

TEST(DerivedTiming, OriginsNameTheRelativeAndKeepDoubts) {
  const GpuProfile l4 = shipped_profile("l4");
  const Sourced& latency = l4.sources.at("l2_latency_cycles");
  EXPECT_EQ(latency.confidence, "derived");
  EXPECT_THAT(latency.source, HasSubstr("derived from the NVIDIA L40: te42kyfo/gpu-benches"));
  EXPECT_EQ(latency.note, "the same");
  EXPECT_EQ(l4.sources.at("dram_gb_s").note, "in proportion to the pins' bandwidth");
  // Recalled for the H100, so no better here.
  EXPECT_EQ(shipped_profile("a100").sources.at("texture_lanes").confidence, "assumed");
  EXPECT_EQ(shipped_profile("a100").sources.at("dram_gb_s").confidence, "read");
}

void write_with_relative(const std::filesystem::path& folder, const char* id,
                         const char* relative) {
  std::ifstream in(std::filesystem::path(WARPSHOP_SOURCE_DIR) / "assets/gpus/h200.toml");
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  text.replace(text.find("id = \"h200\""), 11, "id = \"" + std::string(id) + "\"");
  text.insert(text.find("\n[chip]"), "relative = \"" + std::string(relative) + "\"\n");
  std::ofstream(folder / (std::string(id) + ".toml")) << text;
}

TEST(DerivedTiming, ACircleOfRelativesIsAnErrorAndSoIsAMissingOne) {
  const TemporaryFolder folder;
  write_with_relative(folder.path(), "one", "two");
  write_with_relative(folder.path(), "two", "one");
  write_with_relative(folder.path(), "alone", "nobody");
  const Result<GpuProfile> circle = load_gpu_profile(folder.path() / "one.toml");
  ASSERT_FALSE(circle.ok());
  EXPECT_THAT(render(circle.errors()), HasSubstr("form a circle"));
  const Result<GpuProfile> missing = load_gpu_profile(folder.path() / "alone.toml");
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(render(missing.errors()), HasSubstr("the relative nobody cannot be read"));
}

TEST(KnownError, SaysWhatWasComparedOrThatNothingWas) {
  GpuProfile p;
  p.name = "NVIDIA Z";
  EXPECT_EQ(known_error(p).english(), "NVIDIA Z: error not known");
  p.relative_name = "NVIDIA Y";
  EXPECT_EQ(known_error(p).english(), "NVIDIA Z: derived from the NVIDIA Y, error not known");
  p.error_pct = 7.4;
  p.error_kernels = 120;
  EXPECT_EQ(known_error(p).english(), "NVIDIA Z: 7% mean error on 120 kernels");
}

}  // namespace
}  // namespace warpshop::models
