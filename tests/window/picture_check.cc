#include "picture_check.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/files.h"

namespace warpshop::ui {
namespace {

constexpr int kColor = 6, kContrast = 10;  // of 255: more than the letters of two drivers differ by

bool same_region(const uint8_t* a, const uint8_t* b) {
  for (int channel = 0; channel < 3; ++channel) {
    if (std::abs(int{a[channel]} - int{b[channel]}) > kColor) return false;
  }
  return std::abs(int{a[3]} - int{b[3]}) <= kContrast;
}

}  // namespace

Picture regions_of(const Picture& picture) {
  Picture out;
  out.width = picture.width / kRegion;
  out.height = picture.height / kRegion;
  for (int row = 0; row < out.height; ++row) {
    for (int column = 0; column < out.width; ++column) {
      double sum[3] = {}, brightness = 0, squares = 0;
      for (int y = row * kRegion; y < (row + 1) * kRegion; ++y) {
        for (int x = column * kRegion; x < (column + 1) * kRegion; ++x) {
          const uint8_t* at = &picture.rgba[(static_cast<size_t>(y) * static_cast<size_t>(picture.width) + static_cast<size_t>(x)) * 4];
          for (int channel = 0; channel < 3; ++channel) sum[channel] += at[channel];
          const double bright = (at[0] + at[1] + at[2]) / 3.0;
          brightness += bright;
          squares += bright * bright;
        }
      }
      constexpr double kPixels = kRegion * kRegion;
      for (const double channel : sum) out.rgba.push_back(static_cast<uint8_t>(std::lround(channel / kPixels)));
      const double spread = std::sqrt(std::max(0.0, squares / kPixels - (brightness / kPixels) * (brightness / kPixels)));
      out.rgba.push_back(static_cast<uint8_t>(255 - std::lround(std::min(spread, 255.0))));
    }
  }
  return out;
}

std::vector<std::string> differences(const Picture& now, const Picture& kept, const std::vector<Part>& left_out) {
  if (now.width != kept.width || now.height != kept.height) {
    return {"it has " + std::to_string(now.width) + " × " + std::to_string(now.height) + " regions, the kept one " +
            std::to_string(kept.width) + " × " + std::to_string(kept.height)};
  }
  const auto width = static_cast<size_t>(now.width), height = static_cast<size_t>(now.height);
  std::vector<bool> differs(width * height, false);
  for (size_t n = 0; n < differs.size(); ++n) differs[n] = !same_region(&now.rgba[4 * n], &kept.rgba[4 * n]);
  for (const Part& part : left_out) {
    const auto region = [](float at) { return static_cast<size_t>(std::max(0.0f, at / kRegion)); };
    for (size_t y = region(part.min.y); y <= std::min(region(part.max.y), height - 1); ++y) {
      for (size_t x = region(part.min.x); x <= std::min(region(part.max.x), width - 1); ++x) differs[y * width + x] = false;
    }
  }
  // Regions that touch are one place.
  std::vector<std::string> out;
  for (size_t n = 0; n < differs.size(); ++n) {
    if (!differs[n]) continue;
    size_t left = width, right = 0, top = height, bottom = 0, count = 0;
    std::vector<size_t> due = {n};
    differs[n] = false;
    while (!due.empty()) {
      const size_t at = due.back(), x = at % width, y = at / width;
      due.pop_back();
      ++count;
      left = std::min(left, x), right = std::max(right, x), top = std::min(top, y), bottom = std::max(bottom, y);
      for (size_t ny = y > 0 ? y - 1 : 0; ny <= std::min(y + 1, height - 1); ++ny) {
        for (size_t nx = x > 0 ? x - 1 : 0; nx <= std::min(x + 1, width - 1); ++nx) {
          if (!differs[ny * width + nx]) continue;
          differs[ny * width + nx] = false;
          due.push_back(ny * width + nx);
        }
      }
    }
    const auto pixels = [](size_t x, size_t y) { return std::to_string(x * kRegion) + "," + std::to_string(y * kRegion); };
    out.push_back(pixels(left, top) + " to " + pixels(right + 1, bottom + 1) + ": " + std::to_string(count) + " of " +
                  std::to_string((right - left + 1) * (bottom - top + 1)) + " regions");
  }
  return out;
}

Status write_regions(const Picture& regions, const std::filesystem::path& file) {
  std::ostringstream out;
  out << "P7\nWIDTH " << regions.width << "\nHEIGHT " << regions.height << "\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n";
  out.write(reinterpret_cast<const char*>(regions.rgba.data()), static_cast<std::streamsize>(regions.rgba.size()));
  return write_file_atomically(file, out.str());
}

Picture read_regions(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  Picture out;
  for (std::string word; in >> word && word != "ENDHDR";) {
    if (word == "WIDTH") in >> out.width;
    if (word == "HEIGHT") in >> out.height;
  }
  in.ignore();  // the line's end
  if (!in || out.width <= 0 || out.height <= 0) return {};
  out.rgba.resize(static_cast<size_t>(out.width) * static_cast<size_t>(out.height) * 4);
  in.read(reinterpret_cast<char*>(out.rgba.data()), static_cast<std::streamsize>(out.rgba.size()));
  return in ? out : Picture{};
}

}  // namespace warpshop::ui
