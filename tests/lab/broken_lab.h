#pragma once

#include <filesystem>
#include <string>

#include "lab/lab.h"
#include "temporary_folder.h"

namespace warpshop::lab {

// A copy of the fixture with one change in lab.toml.
class BrokenLab {
 public:
  BrokenLab() {
    std::filesystem::copy(std::filesystem::path(WARPSHOP_TESTS_DIR) / "lab" / "data",
                          folder_.path(), std::filesystem::copy_options::recursive);
  }
  void change(const std::string& from, const std::string& to) {
    text_ = with(folder_.read("labs/fixture/lab.toml"), from, to);
    folder_.write("labs/fixture/lab.toml", text_);
  }
  Result<Lab> load() const { return load_lab(folder_.path(), "fixture"); }
  const std::string& text() const { return text_; }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
  std::string text_;
};

}  // namespace warpshop::lab
