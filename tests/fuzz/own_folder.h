// A folder of this process for files that a target reads, in memory if the system has /dev/shm.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace warpshop::fuzz {

class OwnFolder {
 public:
  explicit OwnFolder(std::string_view target) {
    const std::filesystem::path shm = "/dev/shm";
    std::error_code error;
    const bool in_memory = std::filesystem::is_directory(shm, error);
    path_ = (in_memory ? shm : std::filesystem::temp_directory_path()) /
            ("warpshop-fuzz-" + std::string(target) + "-" + std::to_string(getpid()));
    std::filesystem::create_directories(path_);
  }
  ~OwnFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::filesystem::path& name, std::string_view text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace warpshop::fuzz
