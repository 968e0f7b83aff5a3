// progress export and import: from one home to another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.h"

namespace warpshop::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

json step(bool passed, int runs) {
  return {{"passed", passed},
          {"passed_at", passed ? "2026-01-02T03:04:05Z" : ""},
          {"runs", runs},
          {"hints_shown", 1},
          {"solution_shown", false},
          {"answers", {{"0", 2}}}};
}

TEST(Progress, MovesFromOneMachineToAnotherAndLosesNothing) {
  const Program old_machine;
  old_machine.folder().write("home/work/fixture/scale.cu", "// mine\n");
  old_machine.folder().write(
      "home/progress.json",
      json{{"version", 1},
           {"steps", {{"fixture/scale", step(true, 3)}, {"gone/step", step(true, 1)}}}}
          .dump());
  ASSERT_EQ(old_machine.run("progress export moved.json").status, 0);

  const Program new_machine;
  new_machine.folder().write("home/work/fixture/scale.cu", "// what was here\n");
  new_machine.folder().write(
      "home/progress.json",
      json{{"version", 1},
           {"steps", {{"fixture/scale", step(false, 5)}, {"fixture/transpose", step(true, 1)}}}}
          .dump());
  new_machine.folder().write("moved.json", old_machine.folder().read("moved.json"));
  const Outcome outcome = new_machine.run("progress import moved.json");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 texts taken over; 1 texts that differed are kept"));
  EXPECT_EQ(new_machine.folder().read("home/work/fixture/scale.cu"), "// mine\n");
  const json steps = json::parse(new_machine.folder().read("home/progress.json"))["steps"];
  EXPECT_TRUE(steps["fixture/scale"]["passed"].get<bool>());
  EXPECT_EQ(steps["fixture/scale"]["runs"], 5);
  EXPECT_TRUE(steps["fixture/transpose"]["passed"].get<bool>());
  EXPECT_TRUE(steps["gone/step"]["passed"].get<bool>());
  bool kept = false;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           new_machine.folder().path() / "home" / "history")) {
    kept |= entry.is_regular_file();
  }
  EXPECT_TRUE(kept);
  EXPECT_EQ(new_machine.run("progress import moved.json").status, 0);  // a second time: nothing
}

struct BadFile {
  const char* name;
  const char* text;
  const char* message;
};

TEST(Progress, WhatIsNoExportChangesNothing) {
  const BadFile kCases[] = {
      {"empty", "", "no file of warpshop progress export"},
      {"other", R"({"format": "else", "version": 1})", "no file of warpshop progress export"},
      {"newer", R"({"format": "warpshop-progress", "version": 2})", "version 2"},
      {"cut off", R"({"format": "warpshop-progress", "version": 1, "steps": {)", "no file of"},
      {"wrong types",
       R"({"format": "warpshop-progress", "version": 1, "steps": {"a/b": 3}, "texts": {}})",
       "no file of"},
  };
  for (const BadFile& c : kCases) {
    SCOPED_TRACE(c.name);
    const Program program;
    program.folder().write("bad.json", c.text);
    const Outcome outcome = program.run("progress import bad.json");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr(c.message));
    EXPECT_FALSE(std::filesystem::exists(program.folder().path() / "home"));
  }
}

TEST(Progress, AFileCannotWriteOutsideTheStudentsFolder) {
  const Program program;
  program.folder().write(
      "evil.json",
      json{{"format", "warpshop-progress"},
           {"version", 1},
           {"steps", json::object()},
           {"texts", {{"fixture/../../../escaped", "x"}, {"../escaped", "x"}, {"/escaped", "x"}}}}
          .dump());
  const Outcome outcome = program.run("progress import evil.json");
  EXPECT_THAT(outcome.err, HasSubstr("there is no exercise"));
  EXPECT_FALSE(std::filesystem::exists(program.folder().path() / "escaped.cu"));
  EXPECT_FALSE(std::filesystem::exists(program.folder().path() / "home" / "work"));
}

}  // namespace
}  // namespace warpshop::cli
