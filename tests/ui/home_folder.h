// Gives a test its own home folder for settings, progress and the student's work.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace warpshop::ui {

class HomeFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "warpshop-ui-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    home_ = pattern;
    setenv("WARPSHOP_HOME", home_.c_str(), 1);
  }
  void TearDown() override {
    std::error_code error;
    std::filesystem::remove_all(home_, error);
  }
  const std::filesystem::path& home() const { return home_; }

 private:
  std::filesystem::path home_;
};

}  // namespace warpshop::ui
