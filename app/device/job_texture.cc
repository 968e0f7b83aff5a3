#include "job_texture.h"

namespace warpshop::device {
namespace {

Result<int> format_of(ElementType type) {
  switch (type) {
    case ElementType::kU8:
      return array_format::kU8;
    case ElementType::kU16:
      return array_format::kU16;
    case ElementType::kU32:
      return array_format::kU32;
    case ElementType::kI32:
      return array_format::kI32;
    case ElementType::kF32:
      return array_format::kF32;
    default:
      return make_error("gpu-launch",
                        sentence("texels cannot be {type}", {{"type", name_of(type)}}),
                        sentence("textures and surfaces support u8, u16, i32, u32 and f32"));
  }
}

CuSampler sampler_of(const JobTexture& texture) {
  CuSampler sampler;
  for (size_t i = 0; i < texture.address.size(); ++i)
    sampler.address[i] = static_cast<int>(texture.address[i]);
  sampler.address[2] = static_cast<int>(TextureAddress::kClamp);
  sampler.filter = texture.linear_filter ? 1 : 0;
  sampler.flags = (texture.normalized_read ? 0 : kReadAsInteger) |
                  (texture.normalized_coordinates ? kNormalizedCoordinates : 0);
  for (size_t i = 0; i < texture.border.size(); ++i) sampler.border[i] = texture.border[i];
  return sampler;
}

// If the driver refuses, the cause is the shape, not the machine.
Status made(Gpu& gpu, CuResult result, const Sentence& what) {
  constexpr CuResult kInvalidValue = 1;
  if (result != kInvalidValue) return gpu.check(result, what);
  return make_error(
      "gpu-launch",
      sentence("{gpu} does not support {what}", {{"gpu", gpu.info().name}, {"what", what}}),
      sentence("use a smaller image, or other settings"));
}

}  // namespace

DeviceTexture& DeviceTexture::operator=(DeviceTexture&& other) noexcept {
  if (this == &other) return *this;
  release();
  driver_ = std::exchange(other.driver_, nullptr);
  array_ = std::exchange(other.array_, nullptr);
  object_ = std::exchange(other.object_, 0);
  surface_ = other.surface_;
  row_bytes_ = other.row_bytes_;
  rows_ = other.rows_;
  return *this;
}

Result<DeviceTexture> DeviceTexture::make(Gpu& gpu, const JobTexture& texture, ElementType type,
                                          CuPointer texels, const std::string& name) {
  const Result<int> format = format_of(type);
  if (!format.ok()) return format.errors();
  const std::vector<SentencePart> parts = {
      {"name", name},
      {"texels",
       std::to_string(texture.width) +
           (texture.height > 0 ? " × " + std::to_string(texture.height) : std::string())}};
  const Sentence what = texture.surface
                            ? sentence("the surface '{name}' of {texels} texels", parts)
                            : sentence("the texture '{name}' of {texels} texels", parts);
  const Driver& driver = gpu.driver();
  DeviceTexture out;
  out.driver_ = &driver;
  out.surface_ = texture.surface;
  out.rows_ = texture.height == 0 ? 1 : texture.height;
  out.row_bytes_ = texture.size_bytes(type) / out.rows_;
  const auto channels = static_cast<unsigned>(texture.channels);
  CuResource resource;
  if (texture.plain) {
    resource.type = resource_type::kLinear;
    resource.of.linear = {texels, *format, channels, texture.size_bytes(type)};
  } else {
    const CuArrayShape shape{.width = texture.width,
                             .height = texture.height,
                             .format = *format,
                             .channels = channels,
                             .flags = texture.surface ? kSurfaceArray : 0};
    const Status got = made(gpu, driver.create_array(&out.array_, &shape), what);
    if (!got.ok()) return got.errors();
    resource.type = resource_type::kArray;
    resource.of.array.array = out.array_;
  }
  const CuSampler sampler = sampler_of(texture);
  const Status got =
      made(gpu,
           texture.surface ? driver.create_surface(&out.object_, &resource)
                           : driver.create_texture(&out.object_, &resource, &sampler, nullptr),
           what);
  if (!got.ok()) return got.errors();
  return out;
}

void DeviceTexture::release() {
  if (driver_ == nullptr) return;
  if (object_ != 0) (surface_ ? driver_->destroy_surface : driver_->destroy_texture)(object_);
  if (array_ != nullptr) driver_->destroy_array(array_);
  driver_ = nullptr;
}

Status DeviceTexture::load_from(Gpu& gpu, CuPointer bytes) const { return copy(gpu, bytes, true); }
Status DeviceTexture::store_to(Gpu& gpu, CuPointer bytes) const { return copy(gpu, bytes, false); }

Status DeviceTexture::copy(Gpu& gpu, CuPointer bytes, bool into_array) const {
  if (!has_array()) return success();
  const CuCopySide plain{
      .memory = memory_type::kDevice, .device = bytes, .pitch_bytes = row_bytes_};
  const CuCopySide array{.memory = memory_type::kArray, .array = array_};
  const CuCopy2d copy{.from = into_array ? plain : array,
                      .to = into_array ? array : plain,
                      .width_bytes = row_bytes_,
                      .height = rows_};
  return gpu.check(gpu.driver().copy_2d(&copy), sentence("copying texels"));
}

}  // namespace warpshop::device
