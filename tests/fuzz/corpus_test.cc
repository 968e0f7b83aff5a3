// Reruns everything that the fuzzers kept: it neither crashes nor hangs, with or without
// sanitizers.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz_targets.h"

namespace warpshop::fuzz {
namespace {

std::vector<std::filesystem::path> files_of(std::string_view target) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(WARPSHOP_CORPUS) / target)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Corpus, RunsAgain) {
  for (const Target& target : targets()) {
    const std::vector<std::filesystem::path> files = files_of(target.name);
    EXPECT_FALSE(files.empty()) << "no corpus for " << target.name;
    for (const std::filesystem::path& path : files) {
      SCOPED_TRACE(path.string());
      std::ifstream file(path, std::ios::binary);
      const std::vector<char> text((std::istreambuf_iterator<char>(file)),
                                   std::istreambuf_iterator<char>());
      target.run({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
      EXPECT_TRUE(file.good() || file.eof());
    }
  }
}

}  // namespace
}  // namespace warpshop::fuzz
