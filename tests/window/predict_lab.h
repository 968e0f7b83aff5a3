// The tests' lab with everything that asks before it tells: tests/window/data/predict.
#pragma once

#include <filesystem>

#include "core/files.h"

namespace warpshop::ui {

// Puts it where the window finds labs of one's own.
inline void add_predict_lab() {
  const std::filesystem::path folder = user_dir() / "labs" / "predict";
  std::filesystem::create_directories(folder.parent_path());
  std::filesystem::copy(std::filesystem::path(WARPSHOP_TESTS_DIR) / "window" / "data" / "predict",
                        folder, std::filesystem::copy_options::recursive);
}

}  // namespace warpshop::ui
