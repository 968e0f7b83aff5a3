#include "models/gpu_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "../lab/temporary_folder.h"

namespace warpshop::models {
namespace {

using testing::HasSubstr;

const std::filesystem::path kData = WARPSHOP_SOURCE_DIR;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(GpuProfiles, AreThereByYear) {
  Diagnostics unreadable;
  const auto profiles = load_gpu_profiles(kData, &unreadable);
  ASSERT_TRUE(profiles.ok()) << render(profiles.errors());
  EXPECT_TRUE(unreadable.empty()) << render(unreadable);
  std::vector<std::string> ids;
  for (const GpuProfile& profile : *profiles) ids.push_back(profile.id);
  EXPECT_THAT(ids,
              testing::ElementsAre("8800-gt", "gtx-280", "k40c", "p100", "v100", "rtx-6000", "t4",
                                   "rtx-2080-super", "a100", "a40", "rtx-3080", "rtx-a6000", "a10",
                                   "rtx-3060", "rtx-4090", "h100", "jetson-orin", "l40",
                                   "rtx-4060-laptop", "l4", "l40s", "b200", "h200", "rtx-5090"));
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
    // The theoretical bandwidth must follow from clock and bus if both are those of the named card:
    // two, four or (GDDR6X, counted per command clock) sixteen transfers per clock.
    if (profile.memory_clock_mhz && profile.memory_bus_bits) {
      const double one = *profile.memory_clock_mhz * 1e6 * *profile.memory_bus_bits / 8 / 1e9;
      const double transfers = profile.memory_bandwidth_gb_s / one;
      EXPECT_TRUE(std::abs(transfers - 2) < 0.02 || std::abs(transfers - 8) < 0.1 ||
                  std::abs(transfers - 16) < 0.1)
          << transfers;
    }
  }
}

// Memory facts and their sources in the profiles of three generations.
TEST(GpuProfiles, NumbersCarryTheirOriginAndUnknownOnesStayUnknown) {
  struct Case {
    const char* gpu;
    const char* key;
    const char* text;  // empty: not known
    const char* confidence;
    bool assumed;
  };
  const Case cases[] = {
      {"8800-gt", "memory_type", "GDDR3", "read", false},
      {"8800-gt", "data_rate_gbps", "1.8", "read", false},
      {"8800-gt", "partition_count", "4", "derived", false},
      {"8800-gt", "partition_mapping", "linear", "read", false},
      {"8800-gt", "dram_banks", "", "", false},
      {"8800-gt", "line_bytes", "", "", false},
      {"gtx-280", "partition_count", "8", "read", false},
      {"gtx-280", "dram_row_bytes", "2048", "simulator", true},
      {"k40c", "l1_caches_loads", "false", "recalled", true},
      {"k40c", "partition_count", "12", "simulator", true},
      {"rtx-6000", "burst_bytes", "32", "simulator", true},
      {"h200", "sm_clock_mhz", "1980", "measured", false},
      {"h200", "memory_bandwidth_gb_s", "4814.304", "derived", false},
      {"b200", "partition_count", "120", "derived", false},
      {"k40c", "shared_carveouts_bytes", "16384, 32768, 49152", "read", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.gpu) + " " + c.key);
    const auto gpu = find_gpu_profile(kData, c.gpu);
    ASSERT_TRUE(gpu.ok()) << render(gpu.errors());
    const std::vector<ProfileNumber> numbers = profile_numbers(*gpu);
    const auto number = std::find_if(numbers.begin(), numbers.end(),
                                     [&](const ProfileNumber& n) { return n.key == c.key; });
    ASSERT_NE(number, numbers.end());
    EXPECT_EQ(number->text, c.text);
    ASSERT_EQ(number->origin.has_value(), *c.confidence != 0);
    if (!number->origin) continue;
    EXPECT_EQ(number->origin->confidence, c.confidence);
    EXPECT_EQ(number->origin->is_assumed(), c.assumed);
    EXPECT_GT(number->origin->line, 8);
  }
}

TEST(GpuProfiles, BandwidthIsTheRateOfAllPins) {
  const auto profiles = load_gpu_profiles(kData);
  ASSERT_TRUE(profiles.ok());
  for (const GpuProfile& gpu : *profiles) {
    SCOPED_TRACE(gpu.id);
    ASSERT_TRUE(gpu.data_rate_gbps && gpu.memory_bus_bits);
    EXPECT_NEAR(*gpu.data_rate_gbps * *gpu.memory_bus_bits / 8 / gpu.memory_bandwidth_gb_s, 1,
                0.002);
  }
}

TEST(GpuProfiles, AnUnknownIdListsTheKnownOnes) {
  const auto gpu = find_gpu_profile(kData, "h300");
  ASSERT_FALSE(gpu.ok());
  EXPECT_THAT(gpu.errors()[0].message, HasSubstr("h300"));
  EXPECT_THAT(gpu.errors()[0].help, HasSubstr("h200"));
}

// A mistake in a student's own file is reported with its place, and the other profiles still work.
TEST(GpuProfiles, AnUnreadableFileDoesNotStopTheOthers) {
  const TemporaryFolder folder;
  const std::filesystem::path& data = folder.path();
  std::filesystem::create_directories(data / "assets" / "gpus");
  for (const char* id : {"h200", "k40c"}) {
    std::filesystem::copy_file(kData / "assets" / "gpus" / (std::string(id) + ".toml"),
                               data / "assets" / "gpus" / (std::string(id) + ".toml"));
  }
  std::ofstream(data / "assets" / "gpus" / "mine.toml")
      << "format = 1\nid = \"mine\nname = \"Mine\"\n";

  Diagnostics unreadable;
  const auto profiles = load_gpu_profiles(data, &unreadable);
  ASSERT_TRUE(profiles.ok()) << render(profiles.errors());
  EXPECT_EQ(profiles->size(), 2U);
  ASSERT_EQ(unreadable.size(), 1U);
  EXPECT_THAT(unreadable[0].place.file, HasSubstr("mine.toml"));
  EXPECT_EQ(unreadable[0].place.line, 2);

  EXPECT_TRUE(find_gpu_profile(data, "h200").ok());
  const auto mine = find_gpu_profile(data, "mine");
  ASSERT_FALSE(mine.ok());
  EXPECT_EQ(mine.errors()[0].place.line, 2);
  const auto unknown = find_gpu_profile(data, "h300");
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.errors()[0].help, HasSubstr("k40c, h200"));
}

TEST(GpuProfiles, AFolderWithoutProfilesIsAnError) {
  const auto profiles = load_gpu_profiles("/nonexistent");
  ASSERT_FALSE(profiles.ok());
  EXPECT_THAT(render(profiles.errors()), HasSubstr("/nonexistent/assets/gpus"));
}

struct Broken {  // printed as its name
  friend void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }
  const char* name;
  std::string from;  // replaced in h200.toml …
  std::string to;
  const char* message;  // … gives this
  const char* at = "";  // text on the line of the error; empty: the replaced line; "-": unknown
};

class BrokenProfile : public testing::TestWithParam<Broken> {};

TEST_P(BrokenProfile, SaysWhereAndWhatWasExpected) {
  const Broken& c = GetParam();
  std::string text = text_of(kData / "assets/gpus/h200.toml");
  const size_t at = text.find(c.from);
  ASSERT_NE(at, std::string::npos) << c.from;
  const std::string_view anchor = c.at;
  const size_t marked = anchor.empty() ? at : text.find(anchor);
  const auto line = anchor == "-" ? 0 : 1 + std::count(text.begin(), text.begin() + marked, '\n');
  text.replace(at, c.from.size(), c.to);
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "h200.toml";
  std::ofstream(file) << text;
  const auto gpu = load_gpu_profile(file);
  ASSERT_FALSE(gpu.ok());
  EXPECT_THAT(gpu.errors()[0].message, HasSubstr(c.message));
  EXPECT_EQ(gpu.errors()[0].place.file, file.string());
  EXPECT_EQ(gpu.errors()[0].place.line, line);
}

INSTANTIATE_TEST_SUITE_P(
    Table, BrokenProfile,
    testing::Values(
        Broken{"syntax", "id = \"h200\"", "id = h200", ""},
        Broken{"format", "format = 1", "format = 2", "format 2; this program reads format 1"},
        Broken{"id", "id = \"h200\"", "id = \"h20\"", "does not match the file"},
        Broken{"capability", "\"9.0\"", "\"9\"", "not a compute capability"},
        Broken{"year", "year = 2024", "", "year (a whole number) is missing", "-"},
        Broken{"type", "value = 132", "value = \"132\"", "chip.sm_count must be a whole number"},
        Broken{"fraction", "value = 132", "value = 1.5", "chip.sm_count must be a whole number"},
        Broken{"range", "value = 132", "value = 0",
               "chip.sm_count is 0, outside the range 1 to 1024"},
        Broken{"bare", "{ value = 132, source = \"DEV\", confidence = \"measured\" }", "132",
               "chip.sm_count must be { value"},
        Broken{"source", "source = \"DEV\"", "source = \"ME\"", "names the source \"ME\""},
        Broken{"confidence", "confidence = \"measured\"", "confidence = \"sure\"",
               "needs a confidence"},
        Broken{"unknown", "sm_count ", "sm_cuont ", "chip.sm_count is missing", "[chip]"},
        Broken{"section", "[memory]", "[momery]", "unknown key momery"},
        Broken{"entry", "value = 132, source", "valve = 132, source", "unknown key valve"},
        Broken{"word", "\"HBM3e\"", "\"HBM9\"", "chip.memory_type is \"HBM9\""},
        Broken{"text", "\"HBM3e\"", "3", "chip.memory_type must be a text"},
        Broken{"mapping", "\"hashed\"", "\"random\"", "memory.partition_mapping is \"random\""},
        Broken{"ascending", "[0, 8192, 16384", "[0, 16384, 8192", "must be in ascending order"},
        Broken{"largest", ", 233472]", "]", "the largest carveout must be"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace warpshop::models
