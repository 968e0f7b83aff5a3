// Everything that decides a grade: if any of it changes, the submission is graded again; otherwise
// never.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>

#include "class_folder.h"
#include "compile/compiler.h"
#include "grade/slurm.h"
#include "journal.h"

namespace warpshop::grade {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Graded in groups, handed in again, graded without groups, and so on: the current submission
// counts.
TEST(Regrade, AResubmissionIsGradedWhateverGroupsItWasGradedIn) {
  ClassFolder folder;
  for (const char* student : {"ada", "bob", "cy"})
    folder.hand_in(student, "fixture-scale.cu", wrong_scale(folder));
  GradeOptions groups = folder.options();
  groups.groups = 2;
  for (groups.group = 0; groups.group < 2; ++groups.group) grade_all(folder, groups);
  EXPECT_EQ(
      find_grade(gather(folder.find().value(), folder.options()).value(), "ada", "scale")->verdict,
      Verdict::kFailed);

  folder.hand_in("ada", "fixture-scale.cu", folder.solution("scale"));
  const GradeResult before = gather(folder.find().value(), folder.options()).value();
  EXPECT_EQ(find_grade(before, "ada", "scale")->verdict, Verdict::kNoVerdict);
  EXPECT_THAT(find_grade(before, "ada", "scale")->reason, HasSubstr("changed since"));
  EXPECT_EQ(incomplete_groups(folder.find().value(), folder.options(), 2), std::vector<int>{0});
  EXPECT_EQ(incomplete_groups(folder.find().value(), folder.options(), 3), std::vector<int>{0});

  const GradeResult result = grade_all(folder, folder.options());
  EXPECT_EQ(result.graded_now, 1U);  // the groups' other results are reused
  EXPECT_EQ(find_grade(result, "ada", "scale")->verdict, Verdict::kPassed);
  EXPECT_EQ(find_grade(result, "bob", "scale")->verdict, Verdict::kFailed);

  // A student joins, which changes the other groups, and cy hands in again.
  folder.hand_in("aaron", "fixture-scale.cu", folder.solution("scale"));
  folder.hand_in("cy", "fixture-scale.cu", folder.solution("scale"));
  EXPECT_EQ(incomplete_groups(folder.find().value(), folder.options(), 4),
            (std::vector<int>{0, 3}));
  groups.groups = 3;
  size_t graded = 0;
  for (groups.group = 0; groups.group < 3; ++groups.group)
    graded += grade_all(folder, groups).graded_now;
  EXPECT_EQ(graded, 2U);
  const GradeResult all = gather(folder.find().value(), folder.options()).value();
  for (const char* student : {"aaron", "ada", "cy"}) {
    EXPECT_EQ(find_grade(all, student, "scale")->verdict, Verdict::kPassed) << student;
  }
  EXPECT_EQ(find_grade(all, "bob", "scale")->verdict, Verdict::kFailed);
  EXPECT_TRUE(incomplete_groups(folder.find().value(), folder.options(), 3).empty());

  // The first version again: its grade is known.
  folder.hand_in("ada", "fixture-scale.cu", wrong_scale(folder));
  const GradeResult back = grade_all(folder, folder.options());
  EXPECT_EQ(back.graded_now, 0U);
  EXPECT_EQ(find_grade(back, "ada", "scale")->verdict, Verdict::kFailed);
}

TEST(Regrade, WhateverDecidesAGradeMakesItAnew) {
  ClassFolder folder;
  folder.hand_in("ada", "fixture/scale.cu",
                 "#include \"../own.h\"\n" + with(folder.solution("scale"), "2.0f", "OWN"));
  folder.hand_in("ada", "own.h", "#define OWN 3.0f\n");
  folder.hand_in("bob", "fixture/scale.cu", folder.solution("scale"));
  folder.hand_in("bob", "own.h", "#define OWN 3.0f\n");
  GradeOptions options = folder.options();
  EXPECT_EQ(grade_all(folder, options).graded_now, 2U);
  EXPECT_EQ(grade_all(folder, options).graded_now, 0U);

  // Only ada's text reads her header.
  folder.hand_in("ada", "own.h", "#define OWN 2.0f\n");
  folder.hand_in("bob", "own.h", "#define OWN 2.0f\n");
  const GradeResult anew = grade_all(folder, options);
  EXPECT_EQ(anew.graded_now, 1U);
  EXPECT_EQ(find_grade(anew, "ada", "scale")->verdict, Verdict::kPassed)
      << find_grade(anew, "ada", "scale")->reason;

  struct Case {
    const char* what;
    std::function<void(GradeOptions&)> change;
  };
  const Case kCases[] = {
      {"time", [](GradeOptions& o) { o.time_limit_s = 30; }},
      {"waiting", [](GradeOptions& o) { o.wall_limit_s = 300; }},
      {"memory", [](GradeOptions& o) { o.memory_bytes = uint64_t{1} << 30; }},
      {"instructions", [](GradeOptions& o) { o.instruction_budget = 400'000'000; }},
      {"size of the file", [](GradeOptions& o) { o.file_limit_bytes = 100'000; }},
      {"GPU",
       [](GradeOptions& o) { o.gpu = models::find_gpu_profile(data_dir(), "a100").value(); }},
      {"a number of the GPU", [](GradeOptions& o) { o.gpu.sm_count = 7; }},
  };
  for (const Case& c : kCases) {
    GradeOptions other = folder.options();
    c.change(other);
    EXPECT_EQ(grade_all(folder, other).graded_now, 2U) << c.what;
    EXPECT_EQ(grade_all(folder, options).graded_now, 0U)
        << c.what;  // the first ones are still known
  }

  // The prelude: the fixture's is the program's own, so it is copied before it changes.
  fs::remove(folder.data() / "assets");
  fs::copy(fs::path(WARPSHOP_TESTS_DIR).parent_path() / "assets", folder.data() / "assets",
           fs::copy_options::recursive);
  EXPECT_EQ(grade_all(folder, options).graded_now, 0U);
  std::ofstream(folder.data() / "assets/prelude/warpshop.h", std::ios::app) << "// another line\n";
  EXPECT_EQ(grade_all(folder, options).graded_now, 2U);
  // The lab's file and its reference.
  std::ofstream(folder.data() / "labs/fixture/lab.toml", std::ios::app) << "# another line\n";
  EXPECT_EQ(grade_all(folder, options).graded_now, 2U);
  // What the lab's file names: as read again by another start of the program.
  using Change = void (*)(lab::Exercise&);
  const std::pair<const char*, Change> kParts[] = {
      {"reference", [](lab::Exercise& exercise) { exercise.reference += "// another line\n"; }},
      {"start", [](lab::Exercise& exercise) { exercise.skeleton += "// another line\n"; }},
      {"solution", [](lab::Exercise& exercise) { exercise.solution += "// another line\n"; }},
      {"data", [](lab::Exercise& exercise) { exercise.args.front().file_bytes += "x"; }},
  };
  for (const auto& [what, change] : kParts) {
    std::vector<lab::Lab> labs = folder.labs();
    for (lab::Step& step : labs.front().steps) {
      if (step.id == "scale") change(*step.exercise);
    }
    const Result<Class> found = find_submissions(folder.submissions(), labs, {});
    ASSERT_TRUE(found.ok());
    const GradeResult known = gather(*found, options).value();
    EXPECT_THAT(find_grade(known, "ada", "scale")->reason, HasSubstr("changed since")) << what;
  }
}

// Nodes of a cluster may have different ones, and a grade counts wherever it was made.
TEST(Regrade, AnotherVersionOfTheCompilerMakesNoGradeAnew) {
#ifndef WARPSHOP_OTHER_NVRTC
  GTEST_SKIP() << "no NVRTC to stand in for";
#else
  const Result<compile::Compiler> real = compile::Compiler::load();
  ASSERT_TRUE(real.ok());
  ClassFolder folder;
  folder.hand_in("ada", "fixture/scale.cu", folder.solution("scale"));
  EXPECT_EQ(grade_all(folder, folder.options()).graded_now, 1U);

  const fs::path other = folder.data().parent_path() / "other";
  const fs::path library = real->library_path();
  fs::create_directories(other / "lib");
  fs::copy_file(WARPSHOP_OTHER_NVRTC, other / "lib/libnvrtc.so.13");
  for (const auto& beside : fs::directory_iterator(library.parent_path())) {
    const std::string name = beside.path().filename();
    if (name.starts_with("libnvrtc-builtins")) fs::create_symlink(beside, other / "lib" / name);
  }
  fs::create_directory_symlink(real->include_path(), other / "include");
  const char* const before = std::getenv("WARPSHOP_CUDA");
  const std::optional<std::string> kept =
      before == nullptr ? std::nullopt : std::optional<std::string>(before);
  ::setenv("WARPSHOP_CUDA", other.c_str(), 1);
  const Result<compile::Compiler> another = compile::Compiler::load();
  EXPECT_TRUE(another.ok() && another->version() == "12.99");
  folder.hand_in("bob", "fixture/scale.cu", folder.solution("scale"));
  const GradeResult result = grade_all(folder, folder.options());
  if (kept) {
    ::setenv("WARPSHOP_CUDA", kept->c_str(), 1);
  } else {
    ::unsetenv("WARPSHOP_CUDA");
  }
  EXPECT_EQ(result.graded_now, 1U) << "only bob's";
  for (const char* student : {"ada", "bob"})
    EXPECT_EQ(find_grade(result, student, "scale")->verdict, Verdict::kPassed)
        << find_grade(result, student, "scale")->reason;
  EXPECT_EQ(find_grade(result, "ada", "scale")->fingerprint,
            find_grade(result, "bob", "scale")->fingerprint);
#endif
}

// Neither the file nor a header beside it can be exchanged unnoticed, even by one with the same
// size and time.
TEST(Regrade, AnotherTextOfTheSameSizeAndTimeIsGradedAnew) {
  ClassFolder folder;
  folder.hand_in("ada", "fixture/scale.cu",
                 "#include \"own.h\"\n" + with(folder.solution("scale"), "2.0f", "OWN"));
  folder.hand_in("ada", "fixture/own.h", "#define OWN 2.0f\n");
  folder.hand_in("bob", "fixture/scale.cu", folder.solution("scale"));
  const GradeOptions options = folder.options();
  EXPECT_EQ(grade_all(folder, options).graded_now, 2U);
  const auto exchange = [&](const char* student, const char* name, const std::string& text) {
    const fs::path file = folder.submissions() / student / name;
    const auto time = fs::last_write_time(file);
    const auto size = fs::file_size(file);
    folder.hand_in(student, name, text);
    fs::last_write_time(file, time);
    ASSERT_EQ(fs::file_size(file), size);
  };
  exchange("ada", "fixture/own.h", "#define OWN 3.0f\n");
  exchange("bob", "fixture/scale.cu", with(folder.solution("scale"), "2.0f", "3.0f"));
  const GradeResult anew = grade_all(folder, options);
  EXPECT_EQ(anew.graded_now, 2U);
  for (const char* student : {"ada", "bob"})
    EXPECT_EQ(find_grade(anew, student, "scale")->verdict, Verdict::kFailed) << student;
}

// Nor behind thousands of other files, nor far down.
TEST(Regrade, AHeaderIsNotHiddenByManyFilesOrFolders) {
  ClassFolder folder;
  std::string deep;
  for (int n = 0; n < 40; ++n) deep += "d/";
  folder.hand_in("ada", "scale.cu",
                 "#include \"zz.h\"\n" + with(folder.solution("scale"), "2.0f", "OWN"));
  folder.hand_in("ada", "zz.h", "#define OWN 2.0f\n");
  for (int n = 0; n < 4200; ++n)
    std::ofstream(folder.submissions() / "ada" / ("a" + std::to_string(n)));
  folder.hand_in(
      "bob", "scale.cu",
      "#include \"" + deep + "own.h\"\n" + with(folder.solution("scale"), "2.0f", "OWN"));
  folder.hand_in("bob", deep + "own.h", "#define OWN 2.0f\n");
  const GradeOptions options = folder.options();
  const GradeResult first = grade_all(folder, options);
  for (const char* student : {"ada", "bob"})
    EXPECT_EQ(find_grade(first, student, "scale")->verdict, Verdict::kPassed) << student;
  EXPECT_EQ(grade_all(folder, options).graded_now, 0U);
  folder.hand_in("ada", "zz.h", "#define OWN 3.0f\n");
  folder.hand_in("bob", deep + "own.h", "#define OWN 3.0f\n");
  EXPECT_EQ(grade_all(folder, options).graded_now, 2U);
}

// Of a large folder only the first 4,096 entries and 64 MiB are read each time.
TEST(Regrade, OfALargeFolderWhatComesLaterCountsBySizeAndTimes) {
  ClassFolder folder;
  const std::string text = "#include \"zz.h\"\n" + with(folder.solution("scale"), "2.0f", "OWN");
  for (const char* student : {"many", "large"}) {
    folder.hand_in(student, "scale.cu", text);
    folder.hand_in(student, "aa.h", "");
    folder.hand_in(student, "zz.h", "#define OWN 2.0f\n");
  }
  for (int n = 0; n < 4096; ++n)
    const std::ofstream file(folder.submissions() / "many" / ("b" + std::to_string(n)));
  const std::ofstream large(folder.submissions() / "large/b");
  fs::resize_file(folder.submissions() / "large/b", uintmax_t{64} << 20);
  const GradeOptions options = folder.options();
  EXPECT_EQ(grade_all(folder, options).graded_now, 2U);
  const auto touch = [&](const char* student, const char* name) {
    const fs::path file = folder.submissions() / student / name;
    fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(1));
    return grade_all(folder, options).graded_now;
  };
  for (const char* student : {"many", "large"}) {
    EXPECT_EQ(touch(student, "aa.h"), 0U) << student << ": its content is the same";
    EXPECT_EQ(touch(student, "zz.h"), 1U) << student;
  }
}

// As a full disk or a crash may leave it: every whole line counts, the rest is graded again.
TEST(Regrade, AJournalCutOffAnywhereLosesOnlyItsLastLine) {
  ClassFolder folder;
  for (const char* student : {"ada", "bob"})
    folder.hand_in(student, "fixture-scale.cu", folder.solution("scale"));
  const GradeOptions options = folder.options();
  ASSERT_EQ(grade_all(folder, options).graded_now, 2U);
  const fs::path journal = folder.out() / "grades.jsonl";
  for (const uintmax_t cut : {1, 2, 10, 100}) {
    SCOPED_TRACE(cut);
    fs::resize_file(journal, fs::file_size(journal) - cut);
    const GradeResult again = grade_all(folder, options);
    EXPECT_LE(again.graded_now, 1U);
    for (const char* student : {"ada", "bob"})
      EXPECT_EQ(find_grade(again, student, "scale")->verdict, Verdict::kPassed) << student;
    EXPECT_EQ(grade_all(folder, options).graded_now, 0U);
  }
  fs::resize_file(journal, 0);
  EXPECT_EQ(grade_all(folder, options).graded_now, 2U);
}

// A `limit` verdict only holds for these limits.
TEST(Regrade, ALimitIsForgottenUnderAnotherOne) {
  ClassFolder folder;
  folder.hand_in("ada", "fixture-scale.cu",
                 "__global__ void scale(const float* in, float* out, int n) {\n"
                 "  for (volatile int x = 0; x >= 0; x = (x + 1) & 1023) {}\n"
                 "}\n"
                 "__host__ __device__ Launch launch(int n) { return {dim3(1), dim3(32)}; }\n");
  GradeOptions options = folder.options();
  options.time_limit_s = 1;
  options.instruction_budget = uint64_t{1} << 60;
  EXPECT_THAT(find_grade(grade_all(folder, options), "ada", "scale")->reason,
              HasSubstr("processor time"));
  const GradeResult shorter = grade_all(folder, folder.options());
  EXPECT_EQ(shorter.graded_now, 1U);
  EXPECT_THAT(find_grade(shorter, "ada", "scale")->reason, HasSubstr("thread instructions"));
}

// To the compiler, words split by a line end or a comment are still words.
TEST(Regrade, ATextThatReadsAnotherFileIsKnownHoweverItIsWritten) {
  const char* const kReaders[] = {"#include \"own.h\"\n", "#inc\\\nlude \"own.h\"\n",
                                  "#define F \"own.h\"\n#/**/include F\n"};
  ClassFolder folder;
  for (const char* reader : kReaders) {
    SCOPED_TRACE(reader);
    folder.hand_in("ada", "own.h", "#define OWN 3.0f\n");
    folder.hand_in("ada", "fixture-scale.cu",
                   reader + with(folder.solution("scale"), "2.0f", "OWN"));
    EXPECT_EQ(find_grade(grade_all(folder, folder.options()), "ada", "scale")->verdict,
              Verdict::kFailed);
    folder.hand_in("ada", "own.h", "#define OWN 2.0f\n");
    EXPECT_EQ(find_grade(grade_all(folder, folder.options()), "ada", "scale")->verdict,
              Verdict::kPassed);
  }
}

// A flipped bit in a journal invalidates its line, and the submission is graded again.
TEST(Regrade, ADamagedLineOfTheJournalIsNoGrade) {
  ClassFolder folder;
  folder.hand_in("ada", "fixture-scale.cu", wrong_scale(folder));
  grade_all(folder, folder.options());
  const fs::path journal = folder.out() / "grades.jsonl";
  const std::string text = read_file(journal).value();
  ASSERT_TRUE(grade_of(std::string_view(text).substr(0, text.size() - 1)).ok());
  for (size_t at = 0; at + 1 < text.size(); at += 7) {
    std::string flipped = text.substr(0, text.size() - 1);
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    EXPECT_FALSE(grade_of(flipped).ok()) << at;
  }
  std::string flipped = text;
  flipped[text.find("elements")] = 'E';
  std::ofstream(journal, std::ios::binary) << flipped;
  EXPECT_EQ(grade_all(folder, folder.options()).graded_now, 1U);
  EXPECT_EQ(grade_all(folder, folder.options()).graded_now, 0U);
}

TEST(Grades, AVerdictCountsMoreThanNoneAndTheLaterMoreThanTheEarlier) {
  lab::Lab lab;
  lab.id = "lab";
  lab.steps.resize(1);
  Submission submission;
  submission.student = "ada";
  submission.lab = &lab;
  submission.step = &lab.steps.front();
  const auto graded = [](Verdict verdict, int64_t at, const char* fingerprint) {
    Grade grade;
    grade.student = "ada";
    grade.lab = "lab";
    grade.verdict = verdict;
    grade.graded_at = at;
    grade.fingerprint = fingerprint;
    return grade;
  };
  Grades grades;
  EXPECT_EQ(grades.find(submission, "one"), nullptr);
  EXPECT_FALSE(grades.graded_before(submission));
  grades.add(graded(Verdict::kPassed, 5, "one"));
  grades.add(graded(Verdict::kNoVerdict, 9, "one"));
  EXPECT_EQ(grades.find(submission, "one")->verdict, Verdict::kPassed);
  grades.add(graded(Verdict::kFailed, 4, "one"));
  EXPECT_EQ(grades.find(submission, "one")->verdict, Verdict::kPassed);
  grades.add(graded(Verdict::kFailed, 6, "one"));
  EXPECT_EQ(grades.find(submission, "one")->verdict, Verdict::kFailed);
  grades.add(graded(Verdict::kNoVerdict, 9, "two"));
  grades.add(graded(Verdict::kBroken, 1, "two"));
  EXPECT_EQ(grades.find(submission, "two")->verdict, Verdict::kBroken);
  EXPECT_EQ(grades.find(submission, "three"), nullptr);
  EXPECT_TRUE(grades.graded_before(submission));
}

}  // namespace
}  // namespace warpshop::grade
