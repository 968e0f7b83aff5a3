#include "picture_check.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace warpshop::ui {
namespace {

// Step of the kept values, of 255: rounding changes them by at most half of it.
constexpr int kStep = 4;
// The most by which the letters of two drivers differ, of 255.
constexpr int kColor = 8, kContrast = 12;

// A single region may differ by this factor more: a letter on the edge between two regions.
constexpr double kAlone = 1.5;

// Alpha 0 marks regions that are left out; none has that much contrast.
bool left_out(const uint8_t* region) { return region[3] == 0; }

// Distance between two regions; 1 is the most by which the letters of two drivers differ.
double distance(const uint8_t* a, const uint8_t* b) {
  if (left_out(a) || left_out(b)) return 0;
  double most = std::abs(int{a[3]} - int{b[3]}) / double{kContrast};
  for (int channel = 0; channel < 3; ++channel)
    most = std::max(most, std::abs(int{a[channel]} - int{b[channel]}) / double{kColor});
  return most;
}

void leave_out(Picture& regions, const Part& part) {
  const auto clamped = [](float at, int end) {
    return static_cast<int>(std::clamp(at / kRegion, 0.0f, static_cast<float>(end)));
  };
  for (int y = clamped(part.min.y, regions.height);
       y <= std::min(clamped(part.max.y, regions.height), regions.height - 1); ++y) {
    for (int x = clamped(part.min.x, regions.width);
         x <= std::min(clamped(part.max.x, regions.width), regions.width - 1); ++x) {
      std::fill_n(&regions.rgba[(static_cast<size_t>(y) * static_cast<size_t>(regions.width) +
                                 static_cast<size_t>(x)) *
                                4],
                  4, uint8_t{0});
    }
  }
}

}  // namespace

Picture regions_of(const Picture& picture, const std::vector<Part>& left_out) {
  Picture out;
  out.width = picture.width / kRegion;
  out.height = picture.height / kRegion;
  for (int row = 0; row < out.height; ++row) {
    for (int column = 0; column < out.width; ++column) {
      uint32_t sum[3] = {}, squares = 0;
      for (int y = row * kRegion; y < (row + 1) * kRegion; ++y) {
        const uint8_t* at =
            &picture.rgba[(static_cast<size_t>(y) * static_cast<size_t>(picture.width) +
                           static_cast<size_t>(column * kRegion)) *
                          4];
        for (const uint8_t* end = at + 4 * kRegion; at < end; at += 4) {
          const uint32_t bright = uint32_t{at[0]} + at[1] + at[2];
          sum[0] += at[0], sum[1] += at[1], sum[2] += at[2];
          squares += bright * bright;
        }
      }
      constexpr double kPixels = kRegion * kRegion;
      for (const uint32_t channel : sum)
        out.rgba.push_back(static_cast<uint8_t>(std::lround(channel / kPixels)));
      const double mean = (sum[0] + sum[1] + sum[2]) / 3.0 / kPixels;
      const double spread = std::sqrt(std::max(0.0, squares / 9.0 / kPixels - mean * mean));
      out.rgba.push_back(static_cast<uint8_t>(255 - std::lround(std::min(spread, 254.0))));
    }
  }
  for (const Part& part : left_out) leave_out(out, part);
  return out;
}

Picture rounded(const Picture& regions) {
  Picture out = regions;
  for (uint8_t& value : out.rgba)
    value = static_cast<uint8_t>(std::min((value + kStep / 2) / kStep * kStep, 255));
  return out;
}

std::vector<std::string> differences(const Picture& now, const Picture& kept) {
  if (now.width != kept.width || now.height != kept.height) {
    return {"it has " + std::to_string(now.width) + " × " + std::to_string(now.height) +
            " regions, the kept one " + std::to_string(kept.width) + " × " +
            std::to_string(kept.height)};
  }
  const auto width = static_cast<size_t>(now.width), height = static_cast<size_t>(now.height);
  std::vector<double> apart(width * height);
  std::vector<bool> differs(width * height, false);
  for (size_t n = 0; n < differs.size(); ++n) {
    apart[n] = distance(&now.rgba[4 * n], &kept.rgba[4 * n]);
    differs[n] = apart[n] > 1;
  }
  // Regions that touch form one place.
  std::vector<std::string> out;
  for (size_t n = 0; n < differs.size(); ++n) {
    if (!differs[n]) continue;
    size_t left = width, right = 0, top = height, bottom = 0, count = 0;
    double most = 0;
    std::vector<size_t> due = {n};
    differs[n] = false;
    while (!due.empty()) {
      const size_t at = due.back(), x = at % width, y = at / width;
      due.pop_back();
      ++count;
      most = std::max(most, apart[at]);
      left = std::min(left, x), right = std::max(right, x), top = std::min(top, y),
      bottom = std::max(bottom, y);
      for (size_t ny = y > 0 ? y - 1 : 0; ny <= std::min(y + 1, height - 1); ++ny) {
        for (size_t nx = x > 0 ? x - 1 : 0; nx <= std::min(x + 1, width - 1); ++nx) {
          if (!differs[ny * width + nx]) continue;
          differs[ny * width + nx] = false;
          due.push_back(ny * width + nx);
        }
      }
    }
    if (count == 1 && most <= kAlone) continue;
    const auto pixels = [](size_t x, size_t y) {
      return std::to_string(x * kRegion) + "," + std::to_string(y * kRegion);
    };
    out.push_back(pixels(left, top) + " to " + pixels(right + 1, bottom + 1) + ": " +
                  std::to_string(count) + " of " +
                  std::to_string((right - left + 1) * (bottom - top + 1)) + " regions");
  }
  return out;
}

Picture stacked(const std::vector<Picture>& pictures) {
  Picture out;
  for (const Picture& picture : pictures) {
    out.width = picture.width;
    out.height += picture.height;
    out.rgba.insert(out.rgba.end(), picture.rgba.begin(), picture.rgba.end());
  }
  return out;
}

Picture of_stack(const Picture& stack, size_t n, size_t count) {
  const int height = stack.height / static_cast<int>(count);
  return crop(stack, 0, static_cast<int>(n) * height, stack.width, height);
}

Picture enlarged(const Picture& regions) {
  Picture out{.width = regions.width * kRegion, .height = regions.height * kRegion, .rgba = {}};
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      const uint8_t* from =
          &regions.rgba[static_cast<size_t>((y / kRegion) * regions.width + x / kRegion) * 4];
      out.rgba.insert(out.rgba.end(), {from[0], from[1], from[2], 255});
    }
  }
  return out;
}

}  // namespace warpshop::ui
