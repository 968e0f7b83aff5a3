#include "draw/pictures.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "imgui_internal.h"
#include "window/png_reader.h"

namespace warpshop::ui {
namespace {

constexpr int kFramesKept = 30;

// Source pixels that contribute to one target pixel of a row, with their weights.
struct Part {
  int first = 0;
  std::vector<float> weights;
};

std::vector<Part> parts(int from, int to) {
  std::vector<Part> out;
  const double scale = static_cast<double>(from) / to, reach = std::max(scale, 1.0);
  for (int n = 0; n < to; ++n) {
    const double middle = (n + 0.5) * scale, begin = middle - reach / 2, end = middle + reach / 2;
    Part part;
    part.first = std::clamp(static_cast<int>(std::floor(begin)), 0, from - 1);
    const int last = std::clamp(static_cast<int>(std::ceil(end)) - 1, part.first, from - 1);
    double sum = 0;
    for (int at = part.first; at <= last; ++at) {
      const double covered =
          std::max(0.0, std::min(end, at + 1.0) - std::max(begin, static_cast<double>(at)));
      part.weights.push_back(static_cast<float>(covered));
      sum += covered;
    }
    for (float& weight : part.weights) weight = sum > 0 ? static_cast<float>(weight / sum) : 1.0f;
    out.push_back(std::move(part));
  }
  return out;
}

}  // namespace

Picture resized(const Picture& picture, int width, int height) {
  if (width == picture.width && height == picture.height) return picture;
  Picture out{width, height, {}};
  out.rgba.resize(static_cast<size_t>(width) * static_cast<size_t>(height) * 4);
  const std::vector<Part> columns = parts(picture.width, width),
                          rows = parts(picture.height, height);
  // Weight colours by their alpha, or the edges of transparent areas would become dark.
  std::vector<float> narrow(static_cast<size_t>(width) * static_cast<size_t>(picture.height) * 4,
                            0.0f);
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < width; ++x) {
      const Part& part = columns[static_cast<size_t>(x)];
      float* to =
          &narrow[(static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) *
                  4];
      for (size_t n = 0; n < part.weights.size(); ++n) {
        const uint8_t* from =
            &picture.rgba[(static_cast<size_t>(y) * static_cast<size_t>(picture.width) +
                           static_cast<size_t>(part.first) + n) *
                          4];
        const float alpha = part.weights[n] * static_cast<float>(from[3]);
        for (int c = 0; c < 3; ++c) to[c] += alpha * static_cast<float>(from[c]);
        to[3] += alpha;
      }
    }
  }
  for (int y = 0; y < height; ++y) {
    const Part& part = rows[static_cast<size_t>(y)];
    for (int x = 0; x < width; ++x) {
      float sum[4] = {};
      for (size_t n = 0; n < part.weights.size(); ++n) {
        const float* from =
            &narrow[((static_cast<size_t>(part.first) + n) * static_cast<size_t>(width) +
                     static_cast<size_t>(x)) *
                    4];
        for (int c = 0; c < 4; ++c) sum[c] += part.weights[n] * from[c];
      }
      uint8_t* to =
          &out.rgba[(static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) *
                    4];
      for (int c = 0; c < 3; ++c)
        to[c] = static_cast<uint8_t>(sum[3] > 0 ? std::lround(sum[c] / sum[3]) : 0);
      to[3] = static_cast<uint8_t>(std::lround(sum[3]));
    }
  }
  return out;
}

struct Pictures::Read {
  Picture picture;
  int idle_frames = 0;
};

struct Pictures::Shown {
  std::filesystem::path file;
  ImTextureData data;
  int idle_frames = 0;
};

Pictures::Pictures() = default;
Pictures::~Pictures() = default;

const Picture* Pictures::find(const std::filesystem::path& file) {
  auto at = read_.find(file);
  if (at == read_.end()) at = read_.emplace(file, Read{read_png(file), 0}).first;
  at->second.idle_frames = 0;
  return at->second.picture.width > 0 ? &at->second.picture : nullptr;
}

ImTextureRef Pictures::texture(const std::filesystem::path& file, int width, int height) {
  for (const std::unique_ptr<Shown>& each : shown_) {
    if (each->file != file || each->data.Width != width || each->data.Height != height) continue;
    each->idle_frames = 0;
    return each->data.GetTexRef();
  }
  const Picture sized = resized(*find(file), width, height);
  shown_.push_back(std::make_unique<Shown>());
  Shown& shown = *shown_.back();
  shown.file = file;
  shown.data.Create(ImTextureFormat_RGBA32, width, height);
  std::memcpy(shown.data.GetPixels(), sized.rgba.data(), sized.rgba.size());
  ImGui::RegisterUserTexture(&shown.data);
  return shown.data.GetTexRef();
}

void Pictures::forget() {
  read_.clear();
  // The next frame no longer draws them, so end_frame() frees them.
  for (const std::unique_ptr<Shown>& each : shown_) each->file.clear();
}

void Pictures::end_frame() {
  for (auto at = read_.begin(); at != read_.end();)
    at = ++at->second.idle_frames > kFramesKept ? read_.erase(at) : std::next(at);
  for (size_t n = 0; n < shown_.size();) {
    if (++shown_[n]->idle_frames <= kFramesKept) {
      ++n;
      continue;
    }
    // The renderer frees the texture in this frame; only then can its pixels go.
    ImTextureData& data = shown_[n]->data;
    data.WantDestroyNextFrame = true;
    data.UnusedFrames = 1;
    data.SetStatus(data.Status == ImTextureStatus_WantCreate ? ImTextureStatus_Destroyed
                                                             : ImTextureStatus_WantDestroy);
    leaving_.push_back(std::move(shown_[n]));
    shown_.erase(shown_.begin() + static_cast<ptrdiff_t>(n));
  }
  for (size_t n = 0; n < leaving_.size();) {
    if (leaving_[n]->data.Status != ImTextureStatus_Destroyed) {
      ++n;
      continue;
    }
    ImGui::UnregisterUserTexture(&leaving_[n]->data);
    leaving_.erase(leaving_.begin() + static_cast<ptrdiff_t>(n));
  }
}

}  // namespace warpshop::ui
