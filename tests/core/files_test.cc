#include "core/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
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

TEST_F(Files, AFileWithoutEndIsRefusedWithItsNameAndTheLimit) {
  ASSERT_TRUE(write_file_atomically(folder_ / "large", "x").ok());
  fs::resize_file(folder_ / "large", kMostTextBytes + 1);
  for (const fs::path& path : {fs::path("/dev/zero"), folder_ / "large"}) {
    SCOPED_TRACE(path);
    const auto read = read_file(path);
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.errors().front().place.file, path);
    EXPECT_EQ(read.errors().front().message.english(),
              "larger than 64 MiB, the most that is read here");
  }
  fs::resize_file(folder_ / "large", kMostTextBytes);
  EXPECT_TRUE(read_file(folder_ / "large").ok());
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

TEST_F(Files, APipeIsWrittenAndStays) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink("pipe", folder_ / "link");
  for (const fs::path& target : {pipe, folder_ / "link"}) {
    EXPECT_TRUE(is_written_in_place(target));
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    ASSERT_TRUE(write_file_atomically(target, "text").ok());
    char got[8] = {};
    EXPECT_EQ(read(reader, got, sizeof got), 4);
    EXPECT_STREQ(got, "text");
    close(reader);
    EXPECT_TRUE(fs::is_fifo(pipe));
  }
  EXPECT_FALSE(is_written_in_place(folder_));
  EXPECT_FALSE(is_written_in_place(folder_ / "missing"));
}

// Uses a device node of its own: a bug here would remove the system's.
TEST_F(Files, ADeviceIsWrittenAndStays) {
  const fs::path null = folder_ / "null", full = folder_ / "full";
  const int made = mknod(null.c_str(), S_IFCHR | 0600, makedev(1, 3)) |
                   mknod(full.c_str(), S_IFCHR | 0600, makedev(1, 7));
  const int tried = made == 0 ? open(null.c_str(), O_WRONLY) : -1;
  if (tried < 0) GTEST_SKIP() << "devices cannot be made here";
  close(tried);
  ASSERT_TRUE(write_file_atomically(null, "text").ok());
  EXPECT_TRUE(fs::is_character_file(null));
  const Status refused = write_file_atomically(full, "text");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.errors()[0].kind, kDiskFull);
  EXPECT_TRUE(fs::is_character_file(full));
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

// Mounts a tmpfs with these options on the folder and writes `bytes` into it, in a
// child process with its own mount namespace. Returns the help text and the
// error's kind, or "" if this user may not mount.
std::string advice_in_mount(const fs::path& place, unsigned long flags, const char* options,
                            size_t bytes) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    std::string said;
    if (::unshare(CLONE_NEWNS) == 0 &&
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
        ::mount("none", place.c_str(), "tmpfs", flags, options) == 0) {
      const Status written = write_file_atomically(place / "a/b.cu", std::string(bytes, 'x'));
      said = written.ok() ? "written"
                          : std::string(written.errors()[0].kind.name()) + ": " +
                                written.errors()[0].help.english();
    }
    [[maybe_unused]] const auto wrote = ::write(ends[1], said.data(), said.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  char said[512] = {};
  [[maybe_unused]] const auto got = ::read(ends[0], said, sizeof said - 1);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return said;
}

TEST_F(Files, TheAdviceFitsTheReason) {
  const std::string roomy = advice_in_mount(folder_, 0, "size=1m", 100);
  if (roomy.empty()) GTEST_SKIP() << "needs the right to mount";
  EXPECT_EQ(roomy, "written");
  EXPECT_EQ(advice_in_mount(folder_, 0, "size=16k", 100000),
            "disk-full: free some space on that disk, or choose a folder on another disk");
  EXPECT_EQ(advice_in_mount(folder_, MS_RDONLY, "size=1m", 100),
            "not-writable: make the folder writable, or choose another one");
}

}  // namespace
}  // namespace warpshop
