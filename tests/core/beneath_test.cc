#include "core/beneath.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "../lab/temporary_folder.h"

namespace warpshop {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Beneath : public ::testing::Test {
 protected:
  Beneath() {
    folder_.write("class/ada/lab/step.cu", "mine");
    folder_.write("class/bob/step.cu", "his");
    folder_.write("secret", "secret");
    const fs::path ada = folder_.path() / "class/ada";
    fs::create_symlink("../../secret", ada / "link.cu");
    fs::create_directory_symlink("../bob", ada / "linked");
    fs::create_directory_symlink("lab", ada / "inner");
    fs::create_symlink("nowhere", ada / "dangling");
    ::mkfifo((ada / "pipe").c_str(), 0644);
  }

  struct Case {
    const char* path;
    int error;  // 0: can be opened
  };
  static constexpr Case kCases[] = {
      {"lab/step.cu", 0},
      {"lab", 0},
      {".", 0},
      {"pipe", 0},
      {"link.cu", ELOOP},
      {"linked/step.cu", ELOOP},
      {"inner/step.cu", ELOOP},  // within the folder, but a link
      {"dangling", ELOOP},
      {"../bob/step.cu", EXDEV},
      {"lab/../../bob/step.cu", EXDEV},
      {"none", ENOENT},
      {"lab/step.cu/more", ENOTDIR},
  };

  void expect_cases() const {
    const Descriptor ada = open_folder(folder_.path() / "class/ada");
    ASSERT_TRUE(ada.is_open());
    for (const Case& c : kCases) {
      const Descriptor file = open_beneath(ada.get(), c.path, O_RDONLY | O_NONBLOCK);
      EXPECT_EQ(file.is_open() ? 0 : errno, c.error) << c.path;
    }
  }

  TemporaryFolder folder_;
};

TEST_F(Beneath, NoLinkIsFollowedAndNoWayLeadsOut) { expect_cases(); }

// The same on a kernel without openat2, simulated by a seccomp filter. In a child process, since
// the filter cannot be removed again.
TEST_F(Beneath, TheSameWithoutOpenat2) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 437, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{4, filter};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
      ::_exit(2);
    if (::syscall(437, -1, nullptr, nullptr, 0) != -1 || errno != ENOSYS) ::_exit(3);
    expect_cases();
    ::_exit(HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// An open folder descriptor stays valid when another folder takes over the name.
TEST_F(Beneath, AFolderThatIsReplacedStaysWhatWasOpened) {
  const Descriptor ada = open_folder(folder_.path() / "class/ada");
  fs::rename(folder_.path() / "class/ada", folder_.path() / "class/gone");
  fs::create_directory_symlink("bob", folder_.path() / "class/ada");
  EXPECT_TRUE(open_beneath(ada.get(), "lab/step.cu", O_RDONLY).is_open());
  EXPECT_FALSE(open_beneath(ada.get(), "step.cu", O_RDONLY).is_open());
}

TEST_F(Beneath, EntriesAreListedWithWhatTheyAre) {
  const Descriptor root = open_folder(folder_.path() / "class");
  const Result<std::vector<FolderEntry>> entries = entries_beneath(root.get(), "ada");
  ASSERT_TRUE(entries.ok());
  std::string all;
  for (const FolderEntry& entry : *entries)
    all += entry.name + "=" + std::to_string(static_cast<int>(entry.kind)) + " ";
  EXPECT_EQ(all, "dangling=2 inner=2 lab=1 link.cu=2 linked=2 pipe=3 ");
  const Result<std::vector<FolderEntry>> behind = entries_beneath(root.get(), "ada/linked");
  ASSERT_FALSE(behind.ok());
}

TEST_F(Beneath, AFileIsReadAndSaidWhyNot) {
  const fs::path ada = folder_.path() / "class/ada";
  EXPECT_EQ(read_file_beneath(ada, "lab/step.cu").value(), "mine");
  struct {
    const char* path;
    const char* said;
  } const kBad[] = {{"link.cu", "link.cu is a link"},
                    {"linked/step.cu", "link"},
                    {"pipe", "not a text file"},
                    {"lab", "not a text file"},
                    {"none", "none cannot be read: No such file"}};
  for (const auto& c : kBad) {
    const Result<std::string> text = read_file_beneath(ada, c.path);
    ASSERT_FALSE(text.ok()) << c.path;
    EXPECT_THAT(text.errors().front().message.english(), HasSubstr(c.said));
  }
}

}  // namespace
}  // namespace warpshop
