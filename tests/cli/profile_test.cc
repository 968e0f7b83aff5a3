// --profile: a kernel of which Nsight Compute's figures from an H200 are known (see
// tests/lab/profile_test.cc) beside the emulator's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.h"

namespace warpshop::cli {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;

class ProfileOption : public testing::Test {
 protected:
  ProfileOption() {
    const std::filesystem::path tests(WARPSHOP_TESTS_DIR);
    std::filesystem::copy(tests / "hardware" / "cases" / "transpose.cu",
                          program_.folder().path() / "transpose.cu");
    for (const char* name : {"transpose-raw.csv", "transpose-details.csv"})
      std::filesystem::copy(tests / "lab" / "profiles" / name, program_.folder().path() / name);
  }

  Outcome run(const std::string& more, const std::string& kernel = "k_transpose_tiled",
              const std::string& grid = "8,8") const {
    return program_.run("run transpose.cu --device emulator --kernel " + kernel + " --grid " +
                        grid +
                        " --block 32,8 --option -DElement=float --option -DPAD=0 --arg "
                        "f32[65536]=f32 --arg f32[65536]=zero --arg i32=256 " +
                        more);
  }

  const Program program_;
};

TEST_F(ProfileOption, EverySimulatedCounterIsNsightComputes) {
  for (const char* file : {"transpose-raw.csv", "transpose-details.csv"}) {
    const Outcome outcome = run(std::string("--json --profile ") + file);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json profile = json::parse(outcome.out)["profile"];
    EXPECT_EQ(profile["same_gpu"], true);
    EXPECT_EQ(profile["launch"]["grid"], json::array({8, 8, 1}));
    EXPECT_EQ(profile["time_us"]["measured"], 3.49);
    size_t equal = 0;
    for (const auto& [name, figure] : profile["figures"].items()) {
      if (!figure.contains("simulated") || figure["measured"].is_null()) continue;
      EXPECT_EQ(figure["simulated"], figure["measured"]) << name;
      ++equal;
    }
    EXPECT_EQ(equal, 16U);
    EXPECT_THAT(profile["figures"]["global_load_bytes_used"]["note"],
                "Nsight Compute has no equivalent");
  }
}

TEST_F(ProfileOption, TheTableHasBothAndTheirRatio) {
  const Outcome outcome = run("--profile transpose-raw.csv");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("Warpshop +Nsight Compute, measured +ratio"));
  EXPECT_THAT(outcome.out,
              ContainsRegex("shared_load_wavefronts +65,536  simulated +65,536  1.000"));
  EXPECT_THAT(outcome.out, ContainsRegex("time +[0-9.]+ µs  predicted +3.49 µs"));
  EXPECT_THAT(outcome.out, HasSubstr("3 launches of the profile fit"));
}

TEST_F(ProfileOption, ALaunchThatTheProfileDoesNotHaveIsAnInputError) {
  const Outcome name = run("--profile transpose-raw.csv", "k_transpose_naive");
  EXPECT_EQ(name.status, 2);
  EXPECT_THAT(name.err,
              HasSubstr("no launch of k_transpose_naive; it has k_fill(float *, int); k_tr"));
  EXPECT_THAT(name.out, HasSubstr("global_load_requests"));  // the run itself is shown
  const Outcome grid = run("--json --profile transpose-raw.csv", "k_transpose_tiled", "4,8");
  EXPECT_EQ(grid.status, 2);
  EXPECT_THAT(std::string(json::parse(grid.out)["profile_problems"][0]["message"]),
              HasSubstr("this run has grid (4, 8, 1)"));
}

TEST_F(ProfileOption, AnotherGpuIsNamed) {
  const Outcome outcome = run("--gpu rtx-4090 --profile transpose-raw.csv");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("another GPU: NVIDIA H200 (9.0), not NVIDIA GeForce RTX 4090 (8.9)"));
  EXPECT_THAT(outcome.out, ContainsRegex("time .*3.49 µs +– +another GPU"));
}

TEST_F(ProfileOption, ABadProfileIsRefusedBeforeAnythingRuns) {
  program_.folder().write("cut.csv", program_.folder().read("transpose-raw.csv").substr(0, 2000));
  program_.folder().write("own.ncu-rep", "NVR");
  const struct {
    const char *arguments, *message;
  } cases[] = {{"cut.csv", "cut.csv:"},
               {"own.ncu-rep", "ncu --import own.ncu-rep --csv --page raw"},
               {"missing.csv", "missing.csv"}};
  for (const auto& [arguments, message] : cases) {
    const Outcome outcome = run(std::string("--profile ") + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(message));
    EXPECT_EQ(outcome.out, "") << arguments;
  }
  EXPECT_EQ(program_.run("run --spec cases.json --profile transpose-raw.csv").status, 2);
  EXPECT_EQ(program_.run("check fixture --profile transpose-raw.csv").status, 2);
}

TEST_F(ProfileOption, CheckComparesEverySizeThatFits) {
  const Outcome plain = program_.run("check fixture/scale --solution --device emulator --json");
  ASSERT_EQ(plain.status, 0) << plain.err;
  const json student = json::parse(plain.out)["runs"][0]["sizes"][0]["student"];
  const auto dim = [](const json& of) {
    return "\"(" + of[0].dump() + ", " + of[1].dump() + ", " + of[2].dump() + ")\"";
  };
  // A profile that says twice the requests.
  const uint64_t requests = student["counters"]["global_load_requests"];
  program_.folder().write("own.csv", R"("ID","Kernel Name","Block Size","Grid Size","CC",)"
                                     R"("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")"
                                     "\n\"0\",\"" +
                                         std::string(student["kernel"]) + "\"," +
                                         dim(student["block"]) + "," + dim(student["grid"]) +
                                         ",\"9.0\",\"" + std::to_string(2 * requests) + "\"\n");
  const Outcome outcome =
      program_.run("check fixture/scale --solution --device emulator --json --profile own.csv");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const json profiles = json::parse(outcome.out)["runs"][0]["profiles"];
  ASSERT_GE(profiles.size(), 1U) << outcome.out;
  EXPECT_EQ(profiles[0]["figures"]["global_load_requests"]["ratio"], 0.5);
  EXPECT_FALSE(std::string(profiles[0]["size"]).empty());
  const Outcome other =
      program_.run("check fixture/scale --solution --device emulator --profile transpose-raw.csv");
  EXPECT_EQ(other.status, 2);  // the kernel passes, but the comparison could not be made
  EXPECT_THAT(other.err, HasSubstr("the profile has no launch of"));
}

}  // namespace
}  // namespace warpshop::cli
