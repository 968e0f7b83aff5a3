#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.h"

namespace warpshop::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

TEST(Check, TheSolutionPassesAndTheSkeletonFails) {
  const Program program;
  const Outcome solution = program.run("check fixture/scale --solution");
  EXPECT_EQ(solution.status, 0) << solution.out << solution.err;
  EXPECT_THAT(solution.out, HasSubstr("passed: all checks of fixture/scale pass"));
  const Outcome skeleton = program.run("check fixture/scale --start");
  EXPECT_EQ(skeleton.status, 1) << skeleton.err;
  EXPECT_THAT(skeleton.out, HasSubstr("✗ At most 4 sectors per load request"));
  EXPECT_THAT(skeleton.out, HasSubstr("got 32 sectors per request, wanted at most 4"));
  EXPECT_THAT(skeleton.out, HasSubstr("not passed: 2 of 4 checks"));
}

TEST(Check, TheTextHoldsWhatTheStudentNeeds) {
  const Program program;
  const std::string out = program.run("check fixture/scale --start").out;
  EXPECT_THAT(out, HasSubstr("Fixture › Neighbours read neighbours"));
  // Counters next to the reference's: 128 warps with 32 sectors each, versus 4 each.
  EXPECT_THAT(out, testing::ContainsRegex("global_load_sectors +4,096 +512"));
  // The map: lane 0 and lane 1 are 64 bytes apart (16 blocks), each alone in its sector.
  EXPECT_THAT(
      out,
      HasSubstr(
          "Worst load: 32 sectors for one request, ideal 4 (128 of 1,024 bytes moved are used)"));
  EXPECT_THAT(out, HasSubstr("|0.......| |        | |1.......| |        |"));
  EXPECT_THAT(out, HasSubstr("threadIdx.x is multiplied by a factor in the index: each lane is 16 "
                             "elements after the one before."));
  EXPECT_THAT(out, HasSubstr("Worst store: 32 sectors"));
  EXPECT_THAT(out, HasSubstr("grid 16 × 1 × 1, block 256 × 1 × 1"));
  EXPECT_THAT(out, Not(HasSubstr("\033["))) << "no colours into a file";
}

TEST(Check, TimesArePredictedWhenAsked) {
  const Program program;
  const Outcome text = program.run("check fixture/scale --solution --predict --gpu h200");
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out,
              testing::ContainsRegex("NVIDIA H200: [0-9]+% mean error on [0-9]+ kernels"));
  EXPECT_THAT(text.out,
              testing::ContainsRegex("1,000 elements +[0-9.]+ µs +[0-9.]+ µs +[0-9.]+ GB/s"));
  const json run =
      json::parse(program.run("check fixture/scale --solution --predict --json").out)["runs"][0];
  for (const json& size : run["sizes"]) {
    for (const char* kernel : {"student", "reference"}) {
      const json& p = size[kernel]["prediction"];
      EXPECT_GT(p["time_us"].get<double>(), p["launch_us"].get<double>());
      EXPECT_FALSE(p["reason"].get<std::string>().empty());
    }
  }
  const json plain =
      json::parse(program.run("check fixture/scale --solution --json").out)["runs"][0];
  EXPECT_FALSE(plain["sizes"][0]["student"].contains("prediction"));
}

TEST(Check, BankConflictsAreDrawn) {
  const Program program;
  program.folder().write(
      "t.cu", with(program.folder().read("data/kernels/fixture/transpose.cu"), "[33]", "[32]"));
  const std::string out = program.run("check fixture/transpose --file t.cu").out;
  EXPECT_THAT(out, HasSubstr("Worst shared access: 32 wavefronts for one load, ideal 1"));
  EXPECT_THAT(out, HasSubstr("… 22 more wavefronts"));
}

// The same accesses by older rules (CUDA C Programming Guide 4.2, F.3.2): on 1.1 each lane out of
// order is a transaction of 32 bytes, on 1.3 a half-warp in order is one of 64; a half-warp has 16
// banks, so a column of 32 words takes 16 passes twice.
TEST(Check, TheMapsAreThoseOfTheGpu) {
  const Program program;
  const std::string strict = program.run("check fixture/scale --start --gpu 8800-gt").out;
  EXPECT_THAT(strict, HasSubstr("Worst load: 32 transactions for one request, at best 128 bytes "
                                "moved (128 of 1,024 bytes moved are used)"));
  const std::string halves = program.run("check fixture/scale --solution --gpu gtx-280").out;
  EXPECT_THAT(halves, HasSubstr("Worst load: 2 transactions for one request, at best 128 bytes "
                                "moved (128 of 128 bytes moved are used)"));
  EXPECT_THAT(halves, HasSubstr("|01234567   89abcdef| |ghijklmn   opqrstuv|"));
  program.folder().write(
      "t.cu", with(program.folder().read("data/kernels/fixture/transpose.cu"), "[33]", "[32]"));
  const std::string banks = program.run("check fixture/transpose --file t.cu --gpu gtx-280").out;
  EXPECT_THAT(banks, HasSubstr("Worst shared access: 32 passes for one load, ideal 2"));
  EXPECT_THAT(banks, HasSubstr("… 22 more passes"));
}

TEST(Check, AFileIsCheckedAndFindingsPointIntoIt) {
  const Program program;
  const Outcome bad =
      program.run("check fixture/scale --file data/solutions/fixture/wrong/past-the-end.cu");
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.out, HasSubstr("past-the-end.cu:3"));
  EXPECT_THAT(bad.out, HasSubstr("out-of-bounds"));
  EXPECT_THAT(bad.out, HasSubstr("  3 |   out[i] = 2.0f * in[i];\n    |   ^"));
  const Outcome wrong =
      program.run("check fixture/scale --file data/solutions/fixture/wrong/off-by-one.cu");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.out, HasSubstr("First mismatch at n = 4,096"));
  EXPECT_THAT(wrong.out, HasSubstr("out[4095]: got never written"));
}

TEST(Check, StandardInputIsAFile) {
  const Program program;
  const Outcome outcome =
      program.run("check fixture/scale --file - <data/kernels/fixture/scale.cu");
  EXPECT_EQ(outcome.status, 0) << outcome.out;
}

TEST(Check, InputWithoutEndIsRefused) {
  const Program program;
  for (const char* arguments :
       {"check fixture/scale --file /dev/zero", "check fixture/scale --file - </dev/zero",
        "run --spec /dev/zero", "progress import /dev/zero"}) {
    const Outcome outcome = program.run(arguments, "timeout 60");
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr("larger than 64 MiB")) << arguments;
  }
}

TEST(Check, WithoutAFileTheStudentsOwnTextIsChecked) {
  const Program program;
  EXPECT_EQ(program.run("check fixture/scale").status, 1) << "nothing written yet: the skeleton";
  program.folder().write("home/work/fixture/scale.cu",
                         program.folder().read("data/kernels/fixture/scale.cu"));
  EXPECT_EQ(program.run("check fixture/scale").status, 0);
}

TEST(Check, ALabIsAllItsExercises) {
  const Program program;
  const Outcome all = program.run("check fixture --solution");
  EXPECT_EQ(all.status, 0);
  EXPECT_THAT(all.out, HasSubstr("fixture: 2 of 2 exercises passed"));
  program.folder().write("home/work/fixture/scale.cu",
                         program.folder().read("data/kernels/fixture/scale.cu"));
  const Outcome half = program.run("check fixture");
  EXPECT_EQ(half.status, 1);
  EXPECT_THAT(half.out, HasSubstr("fixture: 1 of 2 exercises passed"));
}

TEST(Check, NothingOfTheLabsOrTheStudentsIsWritten) {
  const Program program;
  program.run("check fixture --start");
  EXPECT_FALSE(std::filesystem::exists(program.folder().path() / "home"));
}

TEST(Check, JsonHoldsTheWholeRun) {
  const Program program;
  const Outcome outcome = program.run("check fixture/scale --start --json");
  EXPECT_EQ(outcome.status, 1);
  const json all = json::parse(outcome.out);
  EXPECT_EQ(all["lab"], "fixture");
  EXPECT_EQ(all["gpu"], "h200");
  EXPECT_EQ(all["passed"], false);
  ASSERT_EQ(all["runs"].size(), 1U);
  const json& run = all["runs"][0];
  EXPECT_EQ(run["step"], "scale");
  EXPECT_EQ(run["stages"]["compile"]["state"], "passed");
  ASSERT_EQ(run["checks"].size(), 5U);
  EXPECT_EQ(run["checks"][4]["id"], "whole-kernel");
  EXPECT_EQ(run["checks"][4]["evaluated"], false);
  EXPECT_EQ(run["checks"][0]["id"], "correct");
  EXPECT_EQ(run["checks"][0]["passed"], true);
  EXPECT_EQ(run["checks"][2]["id"], "coalesced-loads");
  EXPECT_EQ(run["checks"][2]["passed"], false);
  ASSERT_EQ(run["sizes"].size(), 2U);
  const json& student = run["sizes"][0]["student"];
  EXPECT_EQ(student["counters"]["global_load_sectors"], 4096);
  EXPECT_EQ(run["sizes"][0]["reference"]["counters"]["global_load_sectors"], 512);
  EXPECT_EQ(student["lines"][0]["line"].is_number(), true);
  EXPECT_EQ(run["sizes"][0]["outputs"][0]["wrong"], 0);
}

struct MistakeCase {
  const char* name;
  const char* arguments;
  int status;
  const char* message;  // expected on standard error
};

TEST(Check, WrongUsageIsExplained) {
  const Program program;
  program.folder().write("k.cu", "__global__ void k() {}");
  const MistakeCase kCases[] = {
      {"no_lab", "check", 2, "required"},
      {"unknown_lab", "check nothing", 2, "the labs are fixture"},
      {"unknown_step", "check fixture/nothing", 2, "its steps are reading, scale, transpose"},
      {"reading_step", "check fixture/reading", 2, "is for reading"},
      {"lab_outside", "check ../labs", 2, "cannot name a lab"},
      {"file_without_step", "check fixture --file k.cu", 2, "fixture/scale, fixture/transpose"},
      {"missing_file", "check fixture/scale --file nothing.cu", 2, "nothing.cu"},
      {"two_sources", "check fixture/scale --start --solution", 2, "excludes"},
      {"unknown_gpu", "check fixture/scale --gpu riva", 2, "h200"},
      {"cuda", "check fixture/scale --start --device cuda:x", 2, "cuda:N"},
      {"worker_of_emulator", "check fixture/scale --start --device emulator --worker w", 2,
       "leave one of them out"},
      {"open_quote", "check fixture/scale --start --worker \"'w\"", 2, "unclosed"},
      {"unknown_device", "check fixture/scale --device abacus", 2, "abacus"},
      {"unknown_option", "check fixture/scale --fast", 2, "--fast"},
      {"unknown_verb", "chekc fixture", 2, "the verbs are labs, check"},
      {"option_of_another_verb", "labs --file k.cu", 2, "--file"},
  };
  for (const MistakeCase& c : kCases) {
    const Outcome outcome = program.run(c.arguments);
    EXPECT_EQ(outcome.status, c.status) << c.name << "\n" << outcome.out << outcome.err;
    EXPECT_THAT(outcome.err + outcome.out, HasSubstr(c.message)) << c.name;
  }
}

struct BadKernelCase {
  const char* name;
  const char* from;
  const char* to;
  const char* message;
};

// Whatever a student hands in, the answer is a message with file and line, and "not passed".
TEST(Check, BadKernelsDoNotPassAndAreExplained) {
  const BadKernelCase kCases[] = {
      {"does_not_compile", "in[i];", "inn[i];", "k.cu:3:"},
      {"never_ends", "if (i < n) out[i]", "while (n > 0) out[i]", "k.cu:3:"},
      {"reads_past_the_end", "in[i];", "in[i + 1];", "k.cu:3:"},
      {"too_much_shared_memory", "dim3(256)}", "dim3(256), 400000}", "k.cu:7:"},
      {"grid_of_zero", "dim3((n + 255) / 256)", "dim3(0)", "k.cu:7:"},
      {"missing_kernel", "void scale(", "void scole(",
       "did you mean 'scale'? Line 1 calls it 'scole'"},
  };
  for (const BadKernelCase& c : kCases) {
    const Program program;
    program.folder().write(
        "k.cu", with(program.folder().read("data/kernels/fixture/scale.cu"), c.from, c.to));
    const Outcome outcome = program.run("check fixture/scale --file k.cu --budget 20000000");
    EXPECT_EQ(outcome.status, 1) << c.name << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(c.message)) << c.name;
    EXPECT_THAT(outcome.out, HasSubstr("not passed")) << c.name;
    // The compiler says what it expected; all others say what to do.
    if (c.name != std::string("does_not_compile")) {
      EXPECT_THAT(outcome.out, HasSubstr("help: ")) << c.name;
    }
  }
}

TEST(Check, ABrokenLabIsNamedWithItsLineAndTheOthersWork) {
  const Program program;
  const std::string text = program.folder().read("data/labs/fixture/lab.toml");
  program.folder().write("data/labs/broken/lab.toml", with(text, "order = 1", "order = \"one\""));
  const Outcome broken = program.run("check broken");
  EXPECT_EQ(broken.status, 2);
  EXPECT_THAT(broken.err, HasSubstr("broken/lab.toml:6"));
  EXPECT_THAT(broken.err, HasSubstr("'order' must be a whole number, not a string"));
  EXPECT_EQ(program.run("check fixture --solution").status, 0);
}

TEST(Check, ABrokenReferenceIsNotTheStudentsFault) {
  const Program program;
  program.folder().write("data/kernels/fixture/scale.cu", "__global__ void scale() { not C++ }");
  const Outcome outcome = program.run("check fixture/scale --solution");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, HasSubstr("the lab's reference kernel is broken"));
}

// A file in place of the home folder: not even root can write there.
TEST(Check, AFolderThatCannotBeWrittenHindersNothing) {
  const Program program;
  program.folder().write("home", "not a folder");
  EXPECT_EQ(program.run("check fixture --solution").status, 0);
  EXPECT_EQ(program.run("labs").status, 0);
}

// Ctrl-C during an endless kernel: a clean and prompt exit.
TEST(Check, AnInterruptStopsCleanly) {
  const Program program;
  program.folder().write("k.cu", with(program.folder().read("data/kernels/fixture/scale.cu"),
                                      "if (i < n) out[i]", "while (n > 0) out[i]"));
  const Outcome outcome =
      program.run("check fixture/scale --file k.cu --budget 4000000000000000000",
                  "timeout --preserve-status -k 20 -s INT 2");
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("stopped"));
}

}  // namespace
}  // namespace warpshop::cli
