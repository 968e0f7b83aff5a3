// Runs the built program as a user's shell would and returns its output and exit status.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "../lab/temporary_folder.h"

namespace warpshop::cli {

struct Outcome {
  int status = -1;  // exit status; 128 + the signal if killed by one
  std::string out;
  std::string err;
};

// A data folder (the fixture lab with the real assets), a home, and a place for files.
class Program {
 public:
  Program() {
    namespace fs = std::filesystem;
    const fs::path tests(WARPSHOP_TESTS_DIR);
    fs::create_directories(folder_.path() / "data");
    fs::copy(tests / "lab" / "data", folder_.path() / "data", fs::copy_options::recursive);
    fs::create_directory_symlink(tests.parent_path() / "assets",
                                 folder_.path() / "data" / "assets");
  }

  // `arguments`: shell text; `before`: placed before the program, e.g. "VARIABLE=value".
  Outcome run(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd '" + path() + "' && WARPSHOP_DATA='" + path() +
                                "/data' WARPSHOP_HOME='" + path() + "/home' " + before + " " +
                                WARPSHOP_PROGRAM + " " + arguments + " >stdout 2>stderr";
    const int status = std::system(command.c_str());
    Outcome outcome;
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    outcome.out = folder_.read("stdout");
    outcome.err = folder_.read("stderr");
    return outcome;
  }

  const TemporaryFolder& folder() const { return folder_; }
  std::string path() const { return folder_.path().string(); }

 private:
  TemporaryFolder folder_;
};

}  // namespace warpshop::cli
