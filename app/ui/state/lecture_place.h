// The lecture's position, for the window with the speaker's notes: another process, perhaps on
// another screen, which reads it from user_dir()/lecture.place. The file exists while a lecture is
// given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/result.h"

namespace warpshop::ui {

struct LecturePlace {
  std::string lab;   // id
  size_t scene = 0;  // from 0
  bool revealed = false;
  int64_t started = 0;  // seconds since 1970
  bool operator==(const LecturePlace&) const = default;
};

Status keep_lecture_place(const LecturePlace& place);
// Empty: no lecture is being given.
std::optional<LecturePlace> lecture_place();
void forget_lecture_place();

}  // namespace warpshop::ui
