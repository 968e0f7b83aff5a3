// The pictures of labs' texts as textures, each in exactly the pixels that it is drawn in: then
// they are sharp at any zoom.
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
  ~Pictures();  // behind the window's end, which frees what the GPU has of them
  Pictures(const Pictures&) = delete;
  Pictures& operator=(const Pictures&) = delete;

  // Of its file. Null: it is missing or broken.
  const Picture* find(const std::filesystem::path& file);
  // Of a file that was found; for this frame.
  ImTextureRef texture(const std::filesystem::path& file, int width, int height);
  // Once a frame, when all is drawn: what has not been drawn for some frames is freed.
  void end_frame();
  // The files may have changed: they are read anew.
  void forget();
  size_t textures() const { return shown_.size() + leaving_.size(); }

 private:
  struct Shown;
  struct Read;
  std::map<std::filesystem::path, Read> read_;
  std::vector<std::unique_ptr<Shown>> shown_, leaving_;
};

// Each pixel is the mean of those that it covers, or what lies between the nearest where it covers
// less than one.
Picture resized(const Picture& picture, int width, int height);

}  // namespace warpshop::ui
