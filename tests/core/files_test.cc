#include "core/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace warpshop {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "warpshop-files-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  size_t entries() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(Files, WrittenBytesAreReadBack) {
  const std::string bytes("a\0b\xFF\n", 5);
  ASSERT_TRUE(write_file_atomically(folder_ / "x", bytes).ok());
  auto read = read_file(folder_ / "x");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, bytes);
  EXPECT_EQ(entries(), 1u) << "a temporary file was left";
}

TEST_F(Files, MissingFoldersAreCreated) {
  ASSERT_TRUE(write_file_atomically(folder_ / "a/b/c.cu", "text").ok());
  EXPECT_EQ(*read_file(folder_ / "a/b/c.cu"), "text");
}

TEST_F(Files, ReplacingKeepsTheMode) {
  ASSERT_TRUE(write_file_atomically(folder_ / "x", "old").ok());
  ASSERT_EQ(chmod((folder_ / "x").c_str(), 0600), 0);
  ASSERT_TRUE(write_file_atomically(folder_ / "x", "new").ok());
  struct stat status = {};
  ASSERT_EQ(stat((folder_ / "x").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_EQ(*read_file(folder_ / "x"), "new");
}

TEST_F(Files, ALinkStaysALink) {
  ASSERT_TRUE(write_file_atomically(folder_ / "real", "old").ok());
  fs::create_symlink("real", folder_ / "link");
  ASSERT_TRUE(write_file_atomically(folder_ / "link", "new").ok());
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(*read_file(folder_ / "real"), "new");
}

TEST_F(Files, ErrorsNameThePathAndTheReason) {
  auto missing = read_file(folder_ / "none");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.errors()[0].place.file, (folder_ / "none").string());
  EXPECT_NE(missing.errors()[0].message.english().find("No such file"), std::string::npos);

  auto directory = read_file(folder_);
  ASSERT_FALSE(directory.ok());
  EXPECT_NE(directory.errors()[0].message.english().find("Is a directory"), std::string::npos);

  fs::create_directory(folder_ / "taken");
  auto over_a_folder = write_file_atomically(folder_ / "taken", "text");
  ASSERT_FALSE(over_a_folder.ok());
  EXPECT_EQ(entries(), 1u) << "a temporary file was left";

  ASSERT_TRUE(write_file_atomically(folder_ / "plain", "text").ok());
  auto under_a_file = write_file_atomically(folder_ / "plain/below", "text");
  ASSERT_FALSE(under_a_file.ok());
  EXPECT_NE(render(under_a_file.errors()).find((folder_ / "plain").string()), std::string::npos);
}

TEST_F(Files, AReadOnlyFolderIsReported) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  ASSERT_EQ(chmod(folder_.c_str(), 0500), 0);
  auto status = write_file_atomically(folder_ / "x", "text");
  ASSERT_EQ(chmod(folder_.c_str(), 0700), 0);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.errors()[0].message.english().find("Permission denied"), std::string::npos);
}

struct FolderCase {
  const char* name;
  fs::path (*function)();
  std::vector<std::pair<const char*, const char*>> environment;
  const char* expected;
};

class Folders : public testing::TestWithParam<FolderCase> {
 protected:
  void SetUp() override {
    for (const char* name : kVariables) {
      const char* value = getenv(name);
      saved_.emplace_back(name, value == nullptr ? std::string() : value);
      unsetenv(name);
    }
  }
  void TearDown() override {
    for (const auto& [name, value] : saved_) {
      value.empty() ? unsetenv(name) : setenv(name, value.c_str(), 1);
    }
  }
  static constexpr const char* kVariables[] = {"WARPSHOP_DATA", "WARPSHOP_HOME",  "WARPSHOP_CACHE",
                                               "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME"};
  std::vector<std::pair<const char*, std::string>> saved_;
};

TEST_P(Folders, FollowTheEnvironment) {
  for (const auto& [name, value] : GetParam().environment) setenv(name, value, 1);
  EXPECT_EQ(GetParam().function(), GetParam().expected);
}

const FolderCase kFolderCases[] = {
    {"data_own", data_dir, {{"WARPSHOP_DATA", "/d"}}, "/d"},
    {"home_own", user_dir, {{"WARPSHOP_HOME", "/h"}, {"XDG_DATA_HOME", "/x"}}, "/h"},
    {"home_xdg", user_dir, {{"HOME", "/home/a"}, {"XDG_DATA_HOME", "/x"}}, "/x/warpshop"},
    {"home_relative_xdg_ignored",
     user_dir,
     {{"HOME", "/home/a"}, {"XDG_DATA_HOME", "x"}},
     "/home/a/.local/share/warpshop"},
    {"home_plain", user_dir, {{"HOME", "/home/a"}}, "/home/a/.local/share/warpshop"},
    {"cache_own", cache_dir, {{"WARPSHOP_CACHE", "/c"}}, "/c"},
    {"cache_xdg", cache_dir, {{"XDG_CACHE_HOME", "/x"}}, "/x/warpshop"},
    {"cache_plain", cache_dir, {{"HOME", "/home/a"}}, "/home/a/.cache/warpshop"},
};

INSTANTIATE_TEST_SUITE_P(Table, Folders, testing::ValuesIn(kFolderCases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(DataFolder, IsTheSourceTreeForABuildInIt) {
  if (getenv("WARPSHOP_DATA") != nullptr) GTEST_SKIP() << "WARPSHOP_DATA is set";
  EXPECT_TRUE(fs::is_directory(data_dir() / "assets"));
}

}  // namespace
}  // namespace warpshop
