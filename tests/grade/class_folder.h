// Submissions in a temporary folder, graded with the fixture labs.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "../lab/temporary_folder.h"
#include "core/files.h"
#include "grade/grade.h"
#include "lab/lab.h"

namespace warpshop::grade {

class ClassFolder {
 public:
  ClassFolder() {
    namespace fs = std::filesystem;
    const fs::path tests(WARPSHOP_TESTS_DIR);
    fs::create_directories(data());
    fs::create_directories(submissions());
    fs::copy(tests / "lab" / "data", data(), fs::copy_options::recursive);
    fs::create_directory_symlink(tests.parent_path() / "assets", data() / "assets");
    ::setenv("WARPSHOP_DATA", data().c_str(), 1);
    labs_ = lab::load_labs(data()).labs;
  }

  std::filesystem::path data() const { return folder_.path() / "data"; }
  std::filesystem::path submissions() const { return folder_.path() / "class"; }
  std::filesystem::path out() const { return folder_.path() / "out"; }
  const std::vector<lab::Lab>& labs() const { return labs_; }
  std::string solution(const std::string& step) const {
    return labs_.front().find_step(step)->exercise->solution;
  }

  void hand_in(const std::string& student, const std::string& file, const std::string& text) {
    ASSERT_TRUE(write_file_atomically(submissions() / student / file, text).ok());
  }

  Result<Class> find(const std::vector<std::string>& wanted = {}) const {
    return find_submissions(submissions(), labs_, wanted);
  }

  GradeOptions options() const {
    GradeOptions options;
    options.out = out();
    options.gpu = models::find_gpu_profile(data(), "h200").value();
    options.jobs = 2;
    return options;
  }

 private:
  TemporaryFolder folder_;
  std::vector<lab::Lab> labs_;
};

inline std::string wrong_scale(const ClassFolder& folder) {
  std::string text = folder.solution("scale");
  return text.replace(text.find("2.0f"), 4, "3.0f");
}

inline GradeResult grade_all(const ClassFolder& folder, const GradeOptions& options) {
  const Result<Class> found = folder.find();
  EXPECT_TRUE(found.ok());
  Result<GradeResult> result = grade(found.value(), options);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : render(result.errors()));
  return result.value();
}

inline const Grade* find_grade(const GradeResult& result, const std::string& student,
                               const std::string& step) {
  for (const Grade& grade : result.grades) {
    if (grade.student == student && grade.step == step) return &grade;
  }
  return nullptr;
}

}  // namespace warpshop::grade
