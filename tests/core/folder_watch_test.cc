#include "core/folder_watch.h"

#include <chrono>
#include <semaphore>
#include <vector>

#include "../lab/temporary_folder.h"
#include "core/files.h"

namespace warpshop {
namespace {

class FolderWatchTest : public ::testing::Test {
 protected:
  const std::filesystem::path& home() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

TEST_F(FolderWatchTest, ASaveByRenameIsNoticedOnce) {
  std::counting_semaphore<64> changes{0};
  FolderWatch watch([&] { changes.release(); });
  ASSERT_TRUE(watch.watch(home()));
  ASSERT_TRUE(
      write_file_atomically(home() / "a.cu", "text").ok());  // writes another file, then renames it
  EXPECT_TRUE(changes.try_acquire_for(std::chrono::seconds(10)));
  EXPECT_FALSE(changes.try_acquire_for(std::chrono::milliseconds(300)));
}

TEST_F(FolderWatchTest, AFolderThatIsNotThereYetCanBeWatchedLater) {
  std::counting_semaphore<64> changes{0};
  FolderWatch watch([&] { changes.release(); });
  EXPECT_FALSE(watch.watch(home() / "later"));
  std::filesystem::create_directories(home() / "later");
  EXPECT_TRUE(watch.watch(home() / "later"));
  ASSERT_TRUE(write_file_atomically(home() / "later/a.cu", "text").ok());
  EXPECT_TRUE(changes.try_acquire_for(std::chrono::seconds(10)));
}

TEST_F(FolderWatchTest, SeveralFoldersAreWatchedUntilOthersAre) {
  std::counting_semaphore<64> changes{0};
  FolderWatch watch([&] { changes.release(); });
  for (const char* folder : {"a", "b", "c"}) std::filesystem::create_directories(home() / folder);
  watch.watch(std::vector{home() / "a", home() / "b", home() / "missing"});
  for (const char* folder : {"a", "b"}) {
    ASSERT_TRUE(write_file_atomically(home() / folder / "lab.toml", "text").ok());
    EXPECT_TRUE(changes.try_acquire_for(std::chrono::seconds(10))) << folder;
  }
  watch.watch(std::vector{home() / "b", home() / "c"});
  ASSERT_TRUE(write_file_atomically(home() / "a/lab.toml", "unseen").ok());
  EXPECT_FALSE(changes.try_acquire_for(std::chrono::milliseconds(300)));
  for (const char* folder : {"b", "c"}) {
    ASSERT_TRUE(write_file_atomically(home() / folder / "lab.toml", "again").ok());
    EXPECT_TRUE(changes.try_acquire_for(std::chrono::seconds(10))) << folder;
  }
}

}  // namespace
}  // namespace warpshop
