// Profiles of Nsight Compute: reading both pages as ncu writes them, and the place of each mistake.
//
// tests/lab/profiles/*.csv have the layout of ncu 2023 to 2025, and the counters, registers and
// occupancy that ncu read on an H200 (transpose-tiled-f32-256-pad0 of tests/hardware/cases). Their
// times, clock and the launch of k_fill are made up.
#include "lab/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "core/files.h"
#include "device/counter_metrics.h"
#include "lab/profile_comparison.h"
#include "profile_text.h"
#include "profiles/figures.h"
#include "profiles/kernel_names.h"
#include "profiles/number.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

using testing::HasSubstr;

double value_of(const ProfiledLaunch& launch, std::string_view name) {
  const ProfiledFigure* figure = launch.find(name);
  EXPECT_NE(figure, nullptr) << name;
  if (figure == nullptr) return -1;
  EXPECT_TRUE(figure->missing.empty()) << name << ": " << figure->missing;
  return figure->value;
}

TEST(Profile, ThePageRawHasARowForEachLaunch) {
  const Result<Profile> profile = read_profile(fixture("transpose-raw.csv"), "p.csv");
  ASSERT_TRUE(profile.ok()) << render(profile.errors());
  ASSERT_EQ(profile->launches.size(), 4U);
  EXPECT_EQ(profile->launches[0].kernel, "k_fill(float *, int)");
  const ProfiledLaunch& launch = profile->launches[1];
  EXPECT_EQ(launch.id, "1");
  EXPECT_EQ(launch.line, 7);
  EXPECT_EQ(launch.gpu, "NVIDIA H200");
  EXPECT_EQ(launch.capability, (models::ComputeCapability{9, 0}));
  EXPECT_EQ(launch.grid, (Dim3{8, 8, 1}));
  EXPECT_EQ(launch.block, (Dim3{32, 8, 1}));
  EXPECT_EQ(value_of(launch, "shared_load_wavefronts"), 65536);
  EXPECT_EQ(value_of(launch, "theoretical_sectors"), 16384);
  EXPECT_EQ(value_of(launch, "registers"), 28);
  EXPECT_EQ(value_of(launch, "time_us"), 3.65);
  EXPECT_EQ(value_of(launch, "sm_clock_mhz"), 1490);
}

TEST(Profile, ThePageDetailsHasARowForEachMetric) {
  const Result<Profile> profile = read_profile(fixture("transpose-details.csv"), "p.csv");
  ASSERT_TRUE(profile.ok()) << render(profile.errors());
  ASSERT_EQ(profile->launches.size(), 1U);
  const ProfiledLaunch& launch = profile->launches[0];
  EXPECT_EQ(launch.gpu, "");
  EXPECT_EQ(launch.capability, (models::ComputeCapability{9, 0}));
  EXPECT_EQ(value_of(launch, "shared_load_wavefronts"), 65536);
  EXPECT_EQ(value_of(launch, "time_us"), 3.49);
}

// --set full prints labels on this page.
TEST(Profile, ThePageDetailsMayHaveLabels) {
  const Result<Profile> profile =
      read_profile(details_of({{"DRAM Frequency", "Ghz", "2.62"},
                               {"Duration", "usecond", "1,234.50"},
                               {"Registers Per Thread", "register/thread", "40"},
                               {"Theoretical Occupancy", "%", "75"},
                               {"Achieved Occupancy", "%", "62.13"},
                               {"SM Frequency", "cycle/nsecond", "1.10"},
                               {"Function Cache Configuration", "", "CachePreferNone"}}),
                   "p.csv");
  ASSERT_TRUE(profile.ok()) << render(profile.errors());
  const ProfiledLaunch& launch = profile->launches[0];
  EXPECT_EQ(value_of(launch, "time_us"), 1234.5);
  EXPECT_EQ(value_of(launch, "registers"), 40);
  EXPECT_EQ(value_of(launch, "theoretical_occupancy_pct"), 75);
  EXPECT_EQ(value_of(launch, "achieved_occupancy_pct"), 62.13);
  EXPECT_NEAR(value_of(launch, "sm_clock_mhz"), 1100, 1e-6);
}

TEST(Profile, EveryWayToWriteTheFileIsRead) {
  const std::string raw = fixture("transpose-raw.csv");
  const size_t table = raw.find("\"ID\"");
  // As a spreadsheet saves it where the comma is the decimal mark.
  const std::string unquoted = replaced(replaced(raw.substr(table), "\",\"", ";"), "\"", "");
  const struct {
    const char* what;
    std::string text;
  } cases[] = {
      {"without ncu's messages", raw.substr(table)},
      {"line ends of Windows", replaced(raw, "\n", "\r\n")},
      {"a byte-order mark", "\xef\xbb\xbf" + raw.substr(table)},
      {"semicolons", unquoted},
      {"no line end at the end", raw.substr(0, raw.size() - 1)},
  };
  for (const auto& [what, text] : cases) {
    const Result<Profile> profile = read_profile(text, "p.csv");
    ASSERT_TRUE(profile.ok()) << what << render(profile.errors());
    ASSERT_EQ(profile->launches.size(), 4U) << what;
    EXPECT_EQ(value_of(profile->launches[3], "shared_load_wavefronts"), 65536) << what;
    EXPECT_EQ(value_of(profile->launches[3], "time_us"), 3.46) << what;
  }
  // The program's output between the rows.
  const Result<Profile> mixed = read_profile(
      replaced(raw, "\n\"2\"", "\nstep 3, \"half\n==PROF== Profiling \"k\"\n\"2\""), "p.csv");
  ASSERT_TRUE(mixed.ok()) << render(mixed.errors());
  EXPECT_EQ(mixed->launches.size(), 4U);
  EXPECT_EQ(mixed->launches[2].line, 10);
}

TEST(Profile, NumbersFollowTheLanguageOfTheMachine) {
  const struct {
    const char* text;
    std::optional<double> with_point, with_comma;
  } cases[] = {
      {"12", 12, 12},
      {"1,234", 1234, 1.234},  // the only ambiguous ones
      {"1.234", 1.234, 1234},
      {"1,234.5", 1234.5, 1234.5},
      {"1.234,5", 1234.5, 1234.5},
      {"1,234,567", 1234567, 1234567},
      {"1.234.567", 1234567, 1234567},
      {"12.5", 12.5, 12.5},
      {"12,5", 12.5, 12.5},
      {"0.125", 0.125, 0.125},
      {"0,125", 0.125, 0.125},
      {"1234.567", 1234.567, 1234.567},
      {"4.0e-05", 4e-5, 4e-5},
      {"1'234.5", 1234.5, 1234.5},
      {"1\u202f234,5", 1234.5, 1234.5},
      {"-3.25", -3.25, -3.25},
      {"", {}, {}},
      {"1,23,456", {}, {}},
      {"1,2345.6", {}, {}},
      {"12.", {}, {}},
      {",5", {}, {}},
      {"12 %", {}, {}},
      {"0x10", {}, {}},
      {"1e", {}, {}},
      {"1e999", {}, {}},
      {"nan", {}, {}},
  };
  for (const auto& [text, with_point, with_comma] : cases) {
    EXPECT_EQ(read_grouped_number(text, DecimalMark::kPoint), with_point) << text;
    EXPECT_EQ(read_grouped_number(text, DecimalMark::kComma), with_comma) << text;
  }
}

TEST(Profile, OneNumberOfTheFileDecidesTheNotation) {
  const Result<Profile> german = read_profile(
      details_of({{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", "1.024"},
                  {"gpu__time_duration.sum", "us", "2,85"}}),
      "p.csv");
  ASSERT_TRUE(german.ok()) << render(german.errors());
  EXPECT_EQ(value_of(german->launches[0], "global_load_sectors"), 1024);
  EXPECT_EQ(value_of(german->launches[0], "time_us"), 2.85);

  const Result<Profile> both = read_profile(
      details_of({{"gpu__time_duration.sum", "us", "2,85"}, {"DRAM Throughput", "%", "31.4"}}),
      "p.csv");
  ASSERT_FALSE(both.ok());
  EXPECT_EQ(both.errors().front().place.line, 3);
  EXPECT_THAT(both.errors().front().message.english(), HasSubstr("\"2,85\" in line 2"));
}

TEST(Profile, UnitsAreScaled) {
  const struct {
    const char *metric, *unit, *value, *figure;
    double expected;
  } cases[] = {
      {"gpu__time_duration.sum", "nsecond", "152,192", "time_us", 152.192},
      {"gpu__time_duration.sum", "ns", "2,848", "time_us", 2.848},
      {"gpu__time_duration.sum", "usecond", "12.5", "time_us", 12.5},
      {"gpu__time_duration.sum", "msecond", "1.25", "time_us", 1250},
      {"gpu__time_duration.sum", "ms", "1.25", "time_us", 1250},
      {"gpu__time_duration.sum", "second", "4.0e-05", "time_us", 40},
      {"dram__bytes_read.sum", "byte", "10,240", "dram_read_bytes", 10240},
      {"dram__bytes_read.sum", "Kbyte", "10.24", "dram_read_bytes", 10240},
      {"dram__bytes_read.sum", "Mbyte", "268.46", "dram_read_bytes", 268460000},
      {"dram__bytes_op_write.sum", "Gbyte", "1.5", "dram_write_bytes", 1.5e9},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector", "8,388,608",
       "global_store_sectors", 8388608},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "", "8,388,608", "global_store_sectors",
       8388608},
      {"smsp__inst_executed.sum", "Kinst", "15.5", "sass_instructions", 15500},
      {"memory_l1_wavefronts_shared", "", "67,584 (1,024; 66,560)", "shared_wavefronts", 67584},
  };
  for (const auto& c : cases) {
    const Result<Profile> profile = read_profile(raw_of(c.metric, c.unit, c.value), "p.csv");
    ASSERT_TRUE(profile.ok()) << c.metric << " " << c.unit << render(profile.errors());
    EXPECT_NEAR(value_of(profile->launches[0], c.figure), c.expected, c.expected * 1e-12)
        << c.metric << " " << c.unit;
  }
}

// Counters are found under every name that the map gives them.
TEST(Profile, KnowsEveryMetricThatIsReadOnGpus) {
  size_t read = 0;
  for (const device::CounterMetric& row : device::counter_metrics()) {
    for (const char* metric : row.metrics) {
      const FigureMetric* known = figure_of(metric);
      ASSERT_NE(known, nullptr) << metric;
      EXPECT_EQ(known->figure, row.counter) << metric;
      EXPECT_FALSE(known->near) << metric;
      EXPECT_THAT(profile_metrics(), HasSubstr(row.metrics.front()));
    }
    for (const char* metric : row.near_metrics) {
      ASSERT_NE(figure_of(metric), nullptr) << metric;
      EXPECT_TRUE(figure_of(metric)->near) << metric;
    }
    read += row.read_on_gpu ? 1 : 0;
  }
  EXPECT_GE(read, 15U);
}

TEST(Profile, EveryMistakeHasItsLine) {
  const std::string raw = fixture("transpose-raw.csv"), details = fixture("transpose-details.csv");
  const size_t last = raw.rfind("\n\"3\"") + 1;
  const std::string time = "gpu__time_duration.sum";
  const struct {
    const char* what;
    std::string text;
    int line;
    const char* message;
    const char* help;
  } cases[] = {
      {"empty", "", 1, "empty", "--csv --page raw"},
      {"prose", "Dear Ada,\nhere are my times.\n", 1, "not a profile of Nsight Compute",
       "ncu --csv"},
      {"another CSV", "name,score\nAda,12\n", 1, "not a profile of Nsight Compute", "--page raw"},
      {"a report", std::string("NVR\0\x01", 5), 1, "binary format", "ncu --import p.csv --csv"},
      {"zeros", "\"ID\",\"Kernel Name\"\n" + std::string("a\0b", 3), 2, "not a text file", ""},
      {"UTF-16", "\xff\xfe\"", 1, "UTF-16", "--log-file"},
      {"text output",
       "==PROF== x\n  scale (16, 1, 1)\n    Section: GPU Speed Of Light\n    ----- ----\n", 1,
       "text output", "--csv"},
      {"no permission",
       "==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n", 2,
       "Nsight Compute says: ERR_NVGPUCTRPERM", "administrator"},
      {"nothing profiled", "==PROF== Connected\n==WARNING== No kernels were profiled.\n", 2,
       "No kernels were profiled", ""},
      {"a summary",
       "\"Kernel Name\",\"Invocations\",\"Metric Name\",\"Metric "
       "Unit\",\"Minimum\",\"Maximum\",\"Average\"\n",
       1, "summary of several launches", "--print-summary"},
      {"only names", raw.substr(0, raw.find("\n\"\"") + 1), 4, "no launch of a kernel",
       "--kernel-name"},
      {"cut in a field", raw.substr(0, last + 40), 9, "ends inside a quoted field", "complete"},
      {"cut between fields", raw.substr(0, raw.rfind(",\"")) + "\n", 9, "the row has", "complete"},
      {"a column too many", raw + "\"4\",\"1\"\n", 10, "2 columns", "complete"},
      {"details, cut", details.substr(0, details.find("Command line profiler metrics") - 2) + "\n",
       2, "the row has 11 columns", "complete"},
      {"a text for a number", raw_of(time, "us", "fast"), 3, "\"fast\"; expected a number", ""},
      {"a negative time", raw_of(time, "us", "-1.5"), 3, "\"-1.5\"; expected a number", ""},
      {"only n/a", raw_of(time, "us", "n/a"), 1, "none of the figures", "--set full"},
      {"only nan", raw_of(time, "us", "nan"), 1, "none of the figures", time.c_str()},
      {"only an unknown unit", raw_of(time, "fortnight", "1"), 1, "none of the figures", ""},
      {"only unknown metrics", raw_of("sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "5"),
       1, "none of the figures", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
      {"a strange block", replaced(raw_of(time, "us", "1.5"), "(256, 1, 1)", "(256, ?, 1)"), 3,
       "Block Size is \"(256, ?, 1)\"", ""},
      {"a huge grid", replaced(raw_of(time, "us", "1.5"), "(16, 1, 1)", "(99999999999, 1, 1)"), 3,
       "Grid Size is", ""},
  };
  for (const auto& c : cases) {
    const Result<Profile> profile = read_profile(c.text, "p.csv");
    ASSERT_FALSE(profile.ok()) << c.what;
    const Diagnostic& error = profile.errors().front();
    EXPECT_EQ(error.place.file, "p.csv") << c.what;
    EXPECT_EQ(error.place.line, c.line) << c.what << ": " << error.message;
    EXPECT_THAT(error.message.english(), HasSubstr(c.message)) << c.what;
    EXPECT_THAT(error.help.english(), HasSubstr(c.help)) << c.what;
  }
}

TEST(Profile, AFigureWithoutAValueLeavesTheOthers) {
  const Result<Profile> profile =
      read_profile(details_of({{"gpu__time_duration.sum", "us", "2.85"},
                               {"dram__bytes_read.sum", "byte", "(!) n/a"},
                               {"dram__bytes_write.sum", "furlong", "3.5"},
                               {"smsp__inst_executed.sum", "inst", "n/a"},
                               {"smsp__inst_executed.sum", "inst", "77.5"}}),
                   "p.csv");
  ASSERT_TRUE(profile.ok()) << render(profile.errors());
  const ProfiledLaunch& launch = profile->launches[0];
  EXPECT_EQ(value_of(launch, "time_us"), 2.85);
  EXPECT_EQ(launch.find("dram_read_bytes")->missing.english(), "n/a in the profile");
  EXPECT_THAT(launch.find("dram_write_bytes")->missing.english(), HasSubstr("furlong"));
  EXPECT_EQ(value_of(launch, "sass_instructions"), 77.5);
}

// The exact metric is preferred, in whatever order they come.
TEST(Profile, ANearMetricGivesWayToTheExactOne) {
  const std::array<std::string, 3> exact = {
      "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "", "100"};
  const std::array<std::string, 3> near = {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                           "", "117"};
  for (const auto& rows : {std::vector{exact, near}, std::vector{near, exact}}) {
    const Result<Profile> profile = read_profile(details_of(rows), "p.csv");
    ASSERT_TRUE(profile.ok());
    EXPECT_EQ(value_of(profile->launches[0], "shared_load_wavefronts"), 100);
    EXPECT_FALSE(profile->launches[0].find("shared_load_wavefronts")->near);
  }
}

TEST(Profile, LargeFilesAndReportsAreRefusedByName) {
  const TemporaryFolder folder;
  folder.write("big.csv", "");
  std::filesystem::resize_file(folder.path() / "big.csv", 200 << 20);
  const Result<Profile> big = load_profile(folder.path() / "big.csv");
  ASSERT_FALSE(big.ok());
  EXPECT_THAT(big.errors().front().help.english(), HasSubstr("--kernel-name"));
  folder.write("own.ncu-rep", "anything");
  const Result<Profile> report = load_profile(folder.path() / "own.ncu-rep");
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.errors().front().help.english(), HasSubstr("ncu --import own.ncu-rep --csv"));
  EXPECT_FALSE(load_profile(folder.path() / "missing.csv").ok());
}

TEST(Profile, KernelNamesOfDifferentDemanglersAreTheSame) {
  const struct {
    const char *kernel, *name, *arguments;
  } cases[] = {
      {"tile", "tile", ""},
      {"tile(const float *, float *, int)", "tile", ""},
      {"_Z4tilePKfPfi", "tile", ""},
      {"void tile<float, (int)32>(const T1 *, T1 *)", "tile", "<float,32>"},
      {"void tile<float, 32>(float const*, float*)", "tile", "<float,32>"},
      {"tile<float, 32u>", "tile", "<float,32>"},
      {"void lab::inner::tile<(bool)1>(int)", "tile", "<1>"},
      {"tile<true>", "tile", "<1>"},
      {"void (anonymous namespace)::tile<std::pair<int, float>>(int)", "tile",
       "<std::pair<int,float>>"},
      {"lab::tile(std::vector<int>, void (*)(int))", "tile", ""},
      {"", "", ""},
      {"<<<", "", "<<<"},
      {"(", "", ""},
      {">::<", "", "<"},
  };
  for (const auto& c : cases) {
    const PlainName name = plain_name(c.kernel);
    EXPECT_EQ(name.name, c.name) << c.kernel;
    EXPECT_EQ(name.arguments, c.arguments) << c.kernel;
  }
  EXPECT_TRUE(may_be_same(plain_name("tile"), plain_name("void tile<float>(float *)")));
  EXPECT_FALSE(may_be_same(plain_name("tile<double>"), plain_name("void tile<float>(float *)")));
  EXPECT_FALSE(may_be_same(plain_name(""), plain_name("")));
}

// Whatever a file contains, reading and comparing it ends, with a figure or a message.
TEST(Profile, MutatedFilesDoNotCrash) {
  const std::vector<std::string> seeds = {fixture("transpose-raw.csv"),
                                          fixture("transpose-details.csv"),
                                          details_of({{"Duration", "us", "1,234.5"}})};
  const std::vector<std::string> pieces = {"\"",
                                           ",",
                                           "\n",
                                           "\r",
                                           ";",
                                           "\t",
                                           "n/a",
                                           "(",
                                           "<",
                                           "e",
                                           "\"\"",
                                           "==ERROR==",
                                           "Kernel Name",
                                           "\"ID\"",
                                           "-",
                                           "9999999999",
                                           std::string(1, '\0'),
                                           "\xff",
                                           ".",
                                           "Metric Value",
                                           "_Z"};
  std::mt19937 random(1);
  const auto below = [&random](size_t n) {
    return std::uniform_int_distribution<size_t>(0, n - 1)(random);
  };
  const models::GpuProfile gpu = h200();
  const KernelRun run = transpose_run();
  size_t read = 0, compared = 0;
  constexpr size_t kFiles = 20'000;
  for (size_t i = 0; i < kFiles; ++i) {
    std::string text = seeds[below(seeds.size())];
    const size_t changes = 1 + below(6);
    for (size_t change = 0; change < changes && !text.empty(); ++change) {
      const size_t at = below(text.size()),
                   most = std::min<size_t>(text.size() - at, 1 + below(60));
      switch (below(5)) {
        case 0:
          text.erase(at, most);
          break;
        case 1:
          text.insert(at, pieces[below(pieces.size())]);
          break;
        case 2:
          text[at] = static_cast<char>(below(256));
          break;
        case 3:
          text.insert(below(text.size()), text.substr(at, most));
          break;
        default:
          text.resize(at);
      }
    }
    const Result<Profile> profile = read_profile(text, "p.csv");
    if (!profile.ok()) {
      for (const Diagnostic& error : profile.errors()) {
        EXPECT_GE(error.place.line, 1);
        EXPECT_FALSE(error.message.empty());
      }
      continue;
    }
    ++read;
    EXPECT_FALSE(profile->launches.empty());
    const Result<ProfileComparison> comparison = compare_profile(*profile, run, gpu, true);
    compared += comparison.ok() ? 1 : 0;
  }
  // Neither all nor none of them: both ways are tried.
  EXPECT_GT(read, kFiles / 20);
  EXPECT_LT(read, kFiles);
  EXPECT_GT(compared, kFiles / 50);
}

}  // namespace
}  // namespace warpshop::lab
