#include "models/gpu_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace warpshop::models {
namespace {

using testing::HasSubstr;

const std::filesystem::path kData = WARPSHOP_SOURCE_DIR;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(GpuProfiles, TheTwelveOfTheCommandLineAreThereByYear) {
  const auto profiles = load_gpu_profiles(kData);
  ASSERT_TRUE(profiles.ok()) << render(profiles.errors());
  std::vector<std::string> ids;
  for (const GpuProfile& profile : *profiles) ids.push_back(profile.id);
  EXPECT_THAT(ids, testing::ElementsAre("8800-gt", "gtx-280", "k40c", "p100", "v100", "rtx-6000",
                                        "a100", "rtx-3080", "rtx-4090", "h100", "b200", "h200"));
}

TEST(GpuProfiles, TheH200IsWhatTheDeviceSays) {
  const auto gpu = find_gpu_profile(kData, "h200");
  ASSERT_TRUE(gpu.ok()) << render(gpu.errors());
  EXPECT_EQ(gpu->capability, (ComputeCapability{9, 0}));
  EXPECT_EQ(gpu->sm_count, 132);
  EXPECT_EQ(gpu->sm_clock_mhz, 1980);
  EXPECT_EQ(gpu->memory_clock_mhz, 3201);
  EXPECT_EQ(gpu->memory_bus_bits, 6016);
  EXPECT_NEAR(gpu->memory_bandwidth_gb_s, 2 * 3201e6 * 6016 / 8 / 1e9, 0.01);
  EXPECT_EQ(gpu->l2_bytes, uint64_t{60} << 20);
  EXPECT_EQ(gpu->max_warps_per_sm, 64);
  EXPECT_EQ(gpu->shared_bytes_per_sm, 233472U);
  EXPECT_EQ(gpu->max_shared_bytes_per_block(), 232448U);
  EXPECT_EQ(gpu->shared_reserved_bytes, 1024U);
  EXPECT_EQ(gpu->sources.at("sm_count").confidence, "measured");
  EXPECT_THAT(gpu->sources.at("sm_count").source, HasSubstr("device itself"));
}

TEST(GpuProfiles, EveryNumberOfEveryProfileHasASource) {
  const auto profiles = load_gpu_profiles(kData);
  ASSERT_TRUE(profiles.ok());
  for (const GpuProfile& profile : *profiles) {
    SCOPED_TRACE(profile.id);
    EXPECT_GE(profile.sources.size(), 16U);
    for (const auto& [name, sourced] : profile.sources)
      EXPECT_FALSE(sourced.source.empty()) << name;
    // What the theoretical bandwidth is made of, where the clock and the bus are of the named card:
    // two, four or (GDDR6X counted per command clock) sixteen transfers a clock.
    if (profile.memory_clock_mhz && profile.memory_bus_bits) {
      const double one = *profile.memory_clock_mhz * 1e6 * *profile.memory_bus_bits / 8 / 1e9;
      const double transfers = profile.memory_bandwidth_gb_s / one;
      EXPECT_TRUE(std::abs(transfers - 2) < 0.02 || std::abs(transfers - 8) < 0.1 ||
                  std::abs(transfers - 16) < 0.1)
          << transfers;
    }
  }
}

TEST(GpuProfiles, AnUnknownIdListsTheKnownOnes) {
  const auto gpu = find_gpu_profile(kData, "h300");
  ASSERT_FALSE(gpu.ok());
  EXPECT_THAT(gpu.errors()[0].message, HasSubstr("h300"));
  EXPECT_THAT(gpu.errors()[0].help, HasSubstr("h200"));
}

TEST(GpuProfiles, AFolderWithoutProfilesIsAnError) {
  const auto profiles = load_gpu_profiles("/nonexistent");
  ASSERT_FALSE(profiles.ok());
  EXPECT_THAT(render(profiles.errors()), HasSubstr("/nonexistent/assets/gpus"));
}

struct Broken {  // prints as its name
  friend void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }
  const char* name;
  std::string from;  // replaced in h200.toml …
  std::string to;
  const char* message;  // … gives this
  int line;             // of the mistake; 0: none is known
};

class BrokenProfile : public testing::TestWithParam<Broken> {};

TEST_P(BrokenProfile, SaysWhereAndWhatWasExpected) {
  const Broken& c = GetParam();
  std::string text = text_of(kData / "assets/gpus/h200.toml");
  const size_t at = text.find(c.from);
  ASSERT_NE(at, std::string::npos) << c.from;
  text.replace(at, c.from.size(), c.to);
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / (std::string("profile-") + c.name);
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "h200.toml";
  std::ofstream(file) << text;
  const auto gpu = load_gpu_profile(file);
  std::filesystem::remove_all(folder);
  ASSERT_FALSE(gpu.ok());
  EXPECT_THAT(gpu.errors()[0].message, HasSubstr(c.message));
  EXPECT_EQ(gpu.errors()[0].place.file, file.string());
  EXPECT_EQ(gpu.errors()[0].place.line, c.line);
}

INSTANTIATE_TEST_SUITE_P(
    Table, BrokenProfile,
    testing::Values(
        Broken{"syntax", "id = \"h200\"", "id = h200", "", 3},
        Broken{"format", "format = 1", "format = 2", "format 2; this program reads format 1", 2},
        Broken{"id", "id = \"h200\"", "id = \"h20\"", "file of another name", 3},
        Broken{"capability", "\"9.0\"", "\"9\"", "no compute capability", 5},
        Broken{"year", "year = 2024", "", "year (a whole number) is missing", 0},
        Broken{"type", "value = 132", "value = \"132\"", "chip.sm_count must be a whole number", 9},
        Broken{"fraction", "value = 132", "value = 1.5", "chip.sm_count must be a whole number", 9},
        Broken{"range", "value = 132", "value = 0",
               "chip.sm_count is 0, out of the range 1 to 1024", 9},
        Broken{"bare", "{ value = 132, source = \"DEV\", confidence = \"measured\" }", "132",
               "chip.sm_count must be { value", 9},
        Broken{"source", "source = \"DEV\"", "source = \"ME\"", "names the source \"ME\"", 9},
        Broken{"confidence", "confidence = \"measured\"", "confidence = \"sure\"",
               "needs a confidence", 9},
        Broken{"unknown", "sm_count ", "sm_cuont ", "chip.sm_count is missing", 8},
        Broken{"section", "[memory]", "[momery]", "unknown key momery", 33},
        Broken{"entry", "value = 132, source", "valve = 132, source", "unknown key valve", 9},
        Broken{"ascending", "[0, 8192, 16384", "[0, 16384, 8192", "must ascend", 31},
        Broken{"largest", ", 233472]", "]", "the largest carveout must be", 31}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace warpshop::models
