#include "state/lecture_place.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "core/files.h"

namespace warpshop::ui {
namespace {

std::filesystem::path place_file() { return user_dir() / "lecture.place"; }

}  // namespace

Status keep_lecture_place(const LecturePlace& place) {
  return write_file_atomically(place_file(), place.lab + " " + std::to_string(place.scene) + " " +
                                                 (place.revealed ? "1" : "0") + " " +
                                                 std::to_string(place.started) + "\n");
}

std::optional<LecturePlace> lecture_place() {
  std::ifstream file(place_file());
  LecturePlace place;
  if (file >> place.lab >> place.scene >> place.revealed >> place.started) return place;
  return std::nullopt;
}

void forget_lecture_place() {
  std::error_code ignored;
  std::filesystem::remove(place_file(), ignored);
}

}  // namespace warpshop::ui
