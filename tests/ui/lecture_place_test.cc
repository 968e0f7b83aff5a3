// What a lecture tells the window with the speaker's notes.
#include "state/lecture_place.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "home_folder.h"

namespace warpshop::ui {
namespace {

class LecturePlaceTest : public HomeFolderTest {};

TEST_F(LecturePlaceTest, IsThereWhileALectureIsGiven) {
  EXPECT_EQ(lecture_place(), std::nullopt);
  const LecturePlace place{"bank-conflicts", 3, true, 1'700'000'000};
  ASSERT_TRUE(keep_lecture_place(place).ok());
  EXPECT_EQ(lecture_place(), place);
  forget_lecture_place();
  EXPECT_EQ(lecture_place(), std::nullopt);
}

TEST_F(LecturePlaceTest, AFileOfAnotherKindIsNoPlace) {
  for (const char* text : {"", "bank-conflicts", "bank-conflicts three 1 5\n"}) {
    ASSERT_TRUE(write_file_atomically(home() / "lecture.place", text).ok());
    EXPECT_EQ(lecture_place(), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace warpshop::ui
