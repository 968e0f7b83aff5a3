// A job's texture or surface object, created through the driver as cudaCreateTextureObject does.
// Source: CUDA Driver API, "Texture Object Management", "Surface Object Management",
// cuArray3DCreate.
#pragma once

#include <utility>

#include "core/result.h"
#include "device/protocol.h"
#include "gpu.h"

namespace warpshop::device {

class DeviceTexture {
 public:
  DeviceTexture() = default;
  DeviceTexture(DeviceTexture&& other) noexcept { *this = std::move(other); }
  DeviceTexture& operator=(DeviceTexture&& other) noexcept;
  ~DeviceTexture() { release(); }

  // `texels` of `type` back a texture over a plain buffer and must start at a multiple of 512
  // bytes; other textures get their own array. Error: "gpu-launch" if the GPU rejects the shape,
  // "gpu-memory".
  static Result<DeviceTexture> make(Gpu& gpu, const JobTexture& texture, ElementType type,
                                    CuPointer texels, const std::string& name);

  bool has_array() const { return array_ != nullptr; }
  CuObject object() const { return object_; }
  // Copies all texels between the array and packed rows in GPU memory. Does nothing for textures
  // over a plain buffer.
  Status load_from(Gpu& gpu, CuPointer bytes) const;
  Status store_to(Gpu& gpu, CuPointer bytes) const;

 private:
  void release();
  Status copy(Gpu& gpu, CuPointer bytes, bool into_array) const;

  const Driver* driver_ = nullptr;
  CuArray array_ = nullptr;
  CuObject object_ = 0;
  bool surface_ = false;
  uint64_t row_bytes_ = 0;
  uint64_t rows_ = 0;
};

}  // namespace warpshop::device
