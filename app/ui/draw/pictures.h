// Textures for the pictures in labs' texts, each resized to the exact pixels it is drawn at, so
// that it stays sharp at any zoom.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "imgui.h"
#include "window/png_file.h"

namespace warpshop::ui {

class Pictures {
 public:
  Pictures();
  ~Pictures();  // after the window has closed, which frees their GPU copies
  Pictures(const Pictures&) = delete;
  Pictures& operator=(const Pictures&) = delete;

  // Returns the picture in `file`, or null if it is missing or broken.
  const Picture* find(const std::filesystem::path& file);
  // Returns a texture for this frame. find() must have found the file.
  ImTextureRef texture(const std::filesystem::path& file, int width, int height);
  // Call once per frame, after drawing: frees what has not been drawn for some frames.
  void end_frame();
  // Reads the files again at the next use, since they may have changed.
  void forget();
  size_t textures() const { return shown_.size() + leaving_.size(); }

 private:
  struct Shown;
  struct Read;
  std::map<std::filesystem::path, Read> read_;
  std::vector<std::unique_ptr<Shown>> shown_, leaving_;
};

// Averages the source pixels that a target pixel covers; interpolates between the nearest ones if
// it covers less than one.
Picture resized(const Picture& picture, int width, int height);

}  // namespace warpshop::ui
