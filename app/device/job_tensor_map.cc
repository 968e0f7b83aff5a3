#include "job_tensor_map.h"

#include <bit>

namespace warpshop::device {
namespace {

constexpr int kFirstCapability = 9;  // compute capability 9.0

// CUtensorMapSwizzle.
int swizzle_of(int bytes) {
  return bytes == 0 ? tensor_map::kNoSwizzle : std::countr_zero(static_cast<unsigned>(bytes)) - 4;
}

}  // namespace

Result<EncodedTensorMap> encode_tensor_map(Gpu& gpu, const JobTensor& tensor, CuPointer base,
                                           const std::string& name) {
  const std::vector<SentencePart> parts = {{"name", name}, {"gpu", gpu.info().name}};
  if (gpu.info().capability_major < kFirstCapability) {
    return make_error("gpu-launch", sentence("{gpu} has no tensor maps, such as '{name}'", parts),
                      sentence("they need compute capability 9.0 or newer: choose another GPU"));
  }
  const auto encode = gpu.driver().encode_tensor_map;
  if (encode == nullptr) {
    return make_error("gpu-driver", sentence("the NVIDIA driver is too old for tensor maps"),
                      sentence("install a driver for CUDA 12.0 or newer"));
  }
  EncodedTensorMap out;
  const CuResult result = encode(
      out.bytes.data(), static_cast<int>(tensor.type), static_cast<unsigned>(tensor.extents.size()),
      reinterpret_cast<void*>(base), tensor.extents.data(),  // NOLINT: an address on the GPU
      tensor.strides.data(), tensor.box.data(), tensor.element_strides.data(),
      tensor_map::kNoInterleave, swizzle_of(tensor.swizzle_bytes), tensor_map::kPromotion128Bytes,
      tensor.nan_outside ? tensor_map::kNan : tensor_map::kZeros);
  if (result == 0) return out;
  return make_error("gpu-launch", sentence("the driver refuses the tensor map '{name}'", parts),
                    sentence("look at its extents, strides, box and swizzle"));
}

}  // namespace warpshop::device
