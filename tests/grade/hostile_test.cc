// Hostile kernels (tests/hostile/*.cu) and hostile files: each fails only its own exercise. The
// first line of each states the expected verdict.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "class_folder.h"
#include "core/ascii.h"
#include "grade/formats.h"
#include "grade/points.h"

namespace warpshop::grade {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

void sparse_file(const fs::path& path, off_t size) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0644);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::ftruncate(file, size), 0);
  ::close(file);
}

std::string hostile_text(const std::string& name, const ClassFolder& folder) {
  return replace_all(read_file(WARPSHOP_TESTS_DIR "/hostile/" + name + ".cu").value(), "@DATA@",
                     folder.data().string());
}

// Bounds on processor time, which other programs on the machine do not use up.
GradeOptions hostile_options(const ClassFolder& folder) {
  GradeOptions options = folder.options();
  options.time_limit_s = 10;
  options.memory_bytes = uint64_t{1} << 29;
  options.instruction_budget = 5'000'000;
  return options;
}

constexpr const char* kWaits = "include-waits";  // has a test of its own

class HostileClass : public ::testing::Test {
 protected:
  // Each file is handed in as fixture/scale by a student of the same name.
  void SetUp() override {
    good_ = class_.solution("scale");
    class_.hand_in("good", "fixture-scale.cu", good_);
    for (const auto& entry : fs::directory_iterator(WARPSHOP_TESTS_DIR "/hostile")) {
      const std::string name = entry.path().stem();
      if (entry.path().extension() != ".cu" || name == kWaits) continue;
      const std::string text = hostile_text(name, class_);
      ASSERT_TRUE(text.starts_with("// expect ")) << name;
      class_.hand_in(name, "fixture-scale.cu", text);
      expected_[name] = text.substr(10, text.find(':') - 10);
    }
    const fs::path folder = class_.submissions();
    fs::create_symlink("/etc/passwd", folder / "include-linked" / "linked.h");
    sparse_file(folder / "include-huge" / "huge.h", off_t{8} << 30);

    const auto as_file = [&](const std::string& name) {
      fs::create_directories(folder / name);
      expected_[name] = "refused";
      return folder / name / "fixture-scale.cu";
    };
    fs::create_symlink(class_.data() / "solutions/fixture/scale.cu", as_file("file-linked"));
    fs::create_symlink("/dev/zero", as_file("file-of-zeros"));
    fs::create_symlink("fixture-scale.cu", as_file("file-linked-to-itself"));
    ASSERT_EQ(::mkfifo(as_file("file-that-waits").c_str(), 0644), 0);
    fs::create_directory(as_file("file-is-folder"));
    sparse_file(as_file("file-huge"), off_t{64} << 30);
    std::ofstream(as_file("file-binary"), std::ios::binary) << std::string(
        "\x7F"
        "ELF\0\0\1",
        7);
    std::ofstream(as_file("file-zero-behind")) << good_ << std::string(1, '\0') << "rest";
    std::ofstream(as_file("file-not-utf8")) << "\xFF\xFE" << good_;
    expected_["file-not-utf8"] = "broken";
  }

  GradeResult grade_all() {
    const Result<Class> found = class_.find();
    EXPECT_TRUE(found.ok());
    GradeOptions options = hostile_options(class_);
    options.wall_limit_s = 3600;  // none of them waits
    Result<GradeResult> result = grade(found.value(), options);
    EXPECT_TRUE(result.ok());
    const Result<std::vector<WantedFile>> files = read_formats({}, options.out);
    const Result<Points> points = read_points({}, *found);
    EXPECT_TRUE(files.ok() && points.ok());
    EXPECT_TRUE(write_reports(*files, *found, *result, {.points = *points}).ok());
    return result.value();
  }

  ClassFolder class_;
  std::string good_;
  std::map<std::string, std::string> expected_;
};

TEST_F(HostileClass, EachFailsItsOwnExerciseAndNothingElse) {
  const SandboxReport sandbox = sandbox_support();
  ASSERT_TRUE(sandbox.seccomp) << "this test needs a kernel with seccomp";
  ASSERT_GE(expected_.size(), 40U);
  const fs::path mark = "/tmp/warpshop-was-here";
  fs::remove(mark);
  const GradeResult result = grade_all();

  for (const auto& [name, verdicts] : expected_) {
    // Without Landlock nothing prevents reading files, and the report says so.
    if (sandbox.landlock_abi == 0 && name.starts_with("include-")) continue;
    const Grade* grade = find_grade(result, name, "scale");
    ASSERT_NE(grade, nullptr) << name;
    EXPECT_THAT("," + verdicts + ",", HasSubstr("," + std::string(name_of(grade->verdict)) + ","))
        << name << ": " << grade->reason;
    EXPECT_FALSE(grade->reason.empty()) << name;
    // No contents of the machine's files leak.
    for (const std::string& message : grade->messages) {
      EXPECT_THAT(message, Not(HasSubstr("root:"))) << name;
    }
    EXPECT_THAT(grade->reason, Not(HasSubstr("root:"))) << name;
  }
  const Grade* good = find_grade(result, "good", "scale");
  ASSERT_NE(good, nullptr);
  EXPECT_EQ(good->verdict, Verdict::kPassed) << good->reason;
  EXPECT_FALSE(fs::exists(mark));
  EXPECT_EQ(class_.solution("scale"), good_);
  const std::string page = read_file(class_.out() / "index.html").value();
  EXPECT_THAT(page, Not(HasSubstr("root:")));
  EXPECT_THAT(page, HasSubstr(sandbox.landlock_abi > 0 ? "Landlock" : "no Landlock"));
}

// A file that waits uses no processor time: only the wall-clock limit ends it.
TEST(HostileFile, OneThatWaitsForEverIsEnded) {
  ClassFolder folder;
  folder.hand_in(kWaits, "fixture-scale.cu", hostile_text(kWaits, folder));
  ASSERT_EQ(::mkfifo((folder.submissions() / kWaits / "pipe.h").c_str(), 0644), 0);
  const Result<Class> found = folder.find();
  ASSERT_TRUE(found.ok());
  GradeOptions options = hostile_options(folder);
  options.time_limit_s = 5;  // of processor time; of waiting, four times that
  const Result<GradeResult> result = grade(*found, options);
  ASSERT_TRUE(result.ok());
  const Grade* grade = find_grade(*result, kWaits, "scale");
  ASSERT_NE(grade, nullptr);
  EXPECT_EQ(grade->verdict, Verdict::kLimit) << grade->reason;
  EXPECT_THAT(grade->reason, HasSubstr("waited for something"));
  EXPECT_THAT(grade->reason, HasSubstr("after 20 s"));
}

// The kernel counts processor time in whole seconds, and four times that is what it may wait.
TEST(HostileFile, APartOfASecondCountsAsAWholeOne) {
  ClassFolder folder;
  std::string endless = folder.solution("scale");
  endless.replace(endless.find("if (i < n)"), 10, "while (i < n)");
  folder.hand_in("endless", "fixture-scale.cu", endless);
  folder.hand_in("good", "fixture-scale.cu", folder.solution("scale"));
  GradeOptions options = folder.options();
  options.jobs = 1;
  options.time_limit_s = 0.25;
  options.instruction_budget = uint64_t{1} << 60;
  const GradeResult result = grade_all(folder, options);
  const Grade* ended = find_grade(result, "endless", "scale");
  EXPECT_EQ(ended->verdict, Verdict::kLimit) << ended->reason;
  EXPECT_THAT(ended->reason, HasSubstr("longer than 1 s of processor time"));
  EXPECT_GE(ended->seconds, 0.9);
  EXPECT_EQ(find_grade(result, "good", "scale")->verdict, Verdict::kPassed);
}

}  // namespace
}  // namespace warpshop::grade
