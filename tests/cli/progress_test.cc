// progress export and import: from one home to another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

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
  EXPECT_THAT(outcome.out, HasSubstr("1 texts imported; 1 differing texts were moved to"));
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
  EXPECT_EQ(new_machine.run("progress import moved.json").status,
            0);  // importing again changes nothing
}

// What was typed before a crash lies only in autosave/, or in autosave-2/ of a second window.
TEST(Progress, TheNewestTextIsExportedSavedOrNot) {
  const Program program;
  const auto write = [&](const std::string& file, const std::string& text, int hour) {
    program.folder().write("home/" + file, text);
    std::filesystem::last_write_time(
        program.folder().path() / "home" / file,
        std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 - hour));
  };
  const auto text_of = [&](const char* step) {
    EXPECT_EQ(program.run("progress export out.json").status, 0);
    return json::parse(program.folder().read("out.json"))["texts"].value(step, "none");
  };
  EXPECT_EQ(text_of("fixture/scale"), "none");
  write("autosave/fixture/scale.cu", "// never saved\n", 2);
  EXPECT_EQ(text_of("fixture/scale"), "// never saved\n");
  write("work/fixture/scale.cu", "// saved before\n", 1);
  EXPECT_EQ(text_of("fixture/scale"), "// never saved\n");
  write("work/fixture/scale.cu", "// saved after\n", 3);
  EXPECT_EQ(text_of("fixture/scale"), "// saved after\n");
  write("autosave-2/fixture/scale.cu", "// of the second window\n", 4);
  EXPECT_EQ(text_of("fixture/scale"), "// of the second window\n");
}

TEST(Progress, OnlyNamesOfStepsAreTakenOver) {
  const Program machine;
  const json empty = json::object();
  machine.folder().write("odd.json", json{{"format", "warpshop-progress"},
                                          {"version", 1},
                                          {"steps",
                                           {{"fixture/scale", step(true, 1)},
                                            {"a\x1b[31m/b", step(true, 1)},
                                            {"../x", step(true, 1)},
                                            {"gone/step", step(true, 1)}}},
                                          {"texts", empty}}
                                         .dump());
  const Outcome outcome = machine.run("progress import odd.json");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("2 entries of the file are not named LAB/STEP"));
  const json steps = json::parse(machine.folder().read("home/progress.json"))["steps"];
  EXPECT_EQ(steps.size(), 2U);
  EXPECT_TRUE(steps.contains("gone/step"));
}

// A crash, or another window, leaves edits that are not saved: they neither hide the imported text
// nor get lost.
TEST(Progress, UnsavedEditsGoToTheHistoryWhenATextIsImported) {
  const Program there, here;
  there.folder().write("home/work/fixture/scale.cu", "// there\n");
  ASSERT_EQ(there.run("progress export moved.json").status, 0);
  here.folder().write("moved.json", there.folder().read("moved.json"));
  here.folder().write("home/work/fixture/scale.cu", "// saved\n");
  here.folder().write("home/autosave/fixture/scale.cu", "// unsaved\n");
  here.folder().write("home/autosave-2/fixture/scale.cu", "// of the second window\n");
  const Outcome outcome = here.run("progress import moved.json");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 texts imported; 3 differing texts were moved to"));
  EXPECT_EQ(here.folder().read("home/work/fixture/scale.cu"), "// there\n");
  const std::filesystem::path home = std::filesystem::path(here.path()) / "home";
  EXPECT_FALSE(std::filesystem::exists(home / "autosave/fixture/scale.cu"));
  EXPECT_FALSE(std::filesystem::exists(home / "autosave-2/fixture/scale.cu"));
  std::set<std::string> kept;
  for (const auto& entry : std::filesystem::directory_iterator(home / "history/fixture"))
    kept.insert(here.folder().read("home/history/fixture/" + entry.path().filename().string()));
  EXPECT_EQ(kept,
            (std::set<std::string>{"// saved\n", "// unsaved\n", "// of the second window\n"}));
}

// Of two versions that passed the later one wins, and the other goes to history.
TEST(Progress, VersionsThatPassedMoveToo) {
  struct Case {
    const char* there;  // when each passed
    const char* here;
    const char* stays;
  };
  const Case kCases[] = {{"2026-03-01T00:00:00Z", "2026-02-01T00:00:00Z", "// there\n"},
                         {"2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z", "// here\n"},
                         {"2026-02-01T00:00:00Z", "", "// there\n"}};
  for (const Case& c : kCases) {
    SCOPED_TRACE(std::string(c.there) + " " + c.here);
    const auto fill = [](const Program& program, const char* at, const char* text) {
      if (*at == 0) return;
      json of = step(true, 1);
      of["version_passed_at"] = at;
      program.folder().write("home/progress.json",
                             json{{"version", 1}, {"steps", {{"fixture/scale", of}}}}.dump());
      program.folder().write("home/passed/fixture/scale.cu", text);
    };
    const Program there, here;
    fill(there, c.there, "// there\n");
    fill(here, c.here, "// here\n");
    ASSERT_EQ(there.run("progress export moved.json").status, 0);
    here.folder().write("moved.json", there.folder().read("moved.json"));
    ASSERT_EQ(here.run("progress import moved.json").status, 0);
    EXPECT_EQ(here.folder().read("home/passed/fixture/scale.cu"), c.stays);
    const auto history = std::filesystem::path(here.path()) / "home" / "history";
    EXPECT_EQ(std::filesystem::exists(history), *c.here != 0);
  }
}

TEST(HandIn, EveryExerciseThatWasBegunIsThereInTheVersionThatStands) {
  const Program program;
  EXPECT_THAT(program.run("hand-in out").out, HasSubstr("you have not started"));
  program.folder().write("home/work/fixture/scale.cu", "// an experiment\n");
  program.folder().write("home/passed/fixture/scale.cu", "// passes\n");
  program.folder().write("home/work/fixture/transpose.cu", "// half done\n");
  const Outcome outcome = program.run("hand-in out --lab fixture");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(program.folder().read("out/fixture/scale.cu"), "// passes\n");
  EXPECT_EQ(program.folder().read("out/fixture/transpose.cu"), "// half done\n");
  EXPECT_THAT(
      outcome.out,
      HasSubstr("fixture/scale      the version that passed; you have changed the text since"));
  EXPECT_THAT(outcome.out,
              HasSubstr("fixture/transpose  your latest text; no version has passed yet"));
  EXPECT_EQ(program.run("hand-in out --lab nowhere").status, 2);
  EXPECT_THAT(program.run("hand-in out --lab nowhere").err, HasSubstr("fixture"));
}

struct BadFile {
  const char* name;
  std::string text;
  const char* message;
};

std::string repeated(const std::string& part, int times) {
  std::string out;
  for (int n = 0; n < times; ++n) out += part;
  return out;
}

TEST(Progress, WhatIsNoExportChangesNothing) {
  const BadFile kCases[] = {
      {"empty", "", "no file of warpshop progress export"},
      {"other", R"({"format": "else", "version": 1})", "no file of warpshop progress export"},
      {"newer", R"({"format": "warpshop-progress", "version": 2})", "version 2"},
      {"cut off", R"({"format": "warpshop-progress", "version": 1, "steps": {)", "no file of"},
      {"wrong types",
       R"({"format": "warpshop-progress", "version": 1, "steps": {"a/b": 3}, "texts": {}})",
       "no file of"},
      {"nested version",
       R"({"format": "warpshop-progress", "version": )" + repeated("[", 200'000) +
           repeated("]", 200'000) + "}",
       "nest too deep"},
      {"nested answers",
       R"({"format": "warpshop-progress", "version": 1, "steps": {"a/b": )" +
           repeated("{\"answers\": ", 200'000) + "1" + repeated("}", 200'002),
       "nest too deep"},
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

// Another program's reader gets the same texts out of it.
TEST(HandIn, AnArchiveHasTheLayoutOfAFolder) {
  const Program program;
  program.folder().write("home/work/fixture/scale.cu", "// an experiment\n");
  program.folder().write("home/passed/fixture/scale.cu", "// passes\n");
  program.folder().write("home/work/fixture/transpose.cu", "// half done, für später\n");
  const Outcome outcome = program.run("hand-in ada.zip --lab fixture");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Written to ada.zip"));
  const std::string from = std::string(program.path()) + "/ada.zip",
                    to = std::string(program.path()) + "/unpacked";
  ASSERT_EQ(
      std::system(("python3 -m zipfile -t " + from + " && python3 -m zipfile -e " + from + " " + to)
                      .c_str()),
      0);
  EXPECT_EQ(program.folder().read("unpacked/fixture/scale.cu"), "// passes\n");
  EXPECT_EQ(program.folder().read("unpacked/fixture/transpose.cu"), "// half done, für später\n");
}

}  // namespace
}  // namespace warpshop::cli
