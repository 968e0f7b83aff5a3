// app/device/driver.h duplicates the driver's structs, so that the program builds without the
// toolkit. If cuda.h is installed, layouts must agree.
#include <gtest/gtest.h>

#include <cstddef>
#include <utility>

#include "device/protocol.h"
#include "driver.h"

#if __has_include(<cuda.h>)
#include <cuda.h>

namespace warpshop::device {
namespace {

// Some members are pointers, whose own size is meant.
// NOLINTBEGIN(bugprone-sizeof-expression)
#define EXPECT_SAME_PLACE(ours, field, theirs, their_field)                  \
  EXPECT_EQ(offsetof(ours, field), offsetof(theirs, their_field)) << #field; \
  EXPECT_EQ(sizeof(ours{}.field), sizeof(theirs{}.their_field)) << #field

TEST(DriverTypes, AnArraysShapeIsThatOfTheHeader) {
  EXPECT_EQ(sizeof(CuArrayShape), sizeof(CUDA_ARRAY3D_DESCRIPTOR));
  EXPECT_SAME_PLACE(CuArrayShape, width, CUDA_ARRAY3D_DESCRIPTOR, Width);
  EXPECT_SAME_PLACE(CuArrayShape, height, CUDA_ARRAY3D_DESCRIPTOR, Height);
  EXPECT_SAME_PLACE(CuArrayShape, depth, CUDA_ARRAY3D_DESCRIPTOR, Depth);
  EXPECT_SAME_PLACE(CuArrayShape, format, CUDA_ARRAY3D_DESCRIPTOR, Format);
  EXPECT_SAME_PLACE(CuArrayShape, channels, CUDA_ARRAY3D_DESCRIPTOR, NumChannels);
  EXPECT_SAME_PLACE(CuArrayShape, flags, CUDA_ARRAY3D_DESCRIPTOR, Flags);
}

TEST(DriverTypes, ACopyIsThatOfTheHeader) {
  EXPECT_EQ(sizeof(CuCopy2d), sizeof(CUDA_MEMCPY2D));
  EXPECT_SAME_PLACE(CuCopy2d, from.x_bytes, CUDA_MEMCPY2D, srcXInBytes);
  EXPECT_SAME_PLACE(CuCopy2d, from.y, CUDA_MEMCPY2D, srcY);
  EXPECT_SAME_PLACE(CuCopy2d, from.memory, CUDA_MEMCPY2D, srcMemoryType);
  EXPECT_SAME_PLACE(CuCopy2d, from.host, CUDA_MEMCPY2D, srcHost);
  EXPECT_SAME_PLACE(CuCopy2d, from.device, CUDA_MEMCPY2D, srcDevice);
  EXPECT_SAME_PLACE(CuCopy2d, from.array, CUDA_MEMCPY2D, srcArray);
  EXPECT_SAME_PLACE(CuCopy2d, from.pitch_bytes, CUDA_MEMCPY2D, srcPitch);
  EXPECT_SAME_PLACE(CuCopy2d, to.x_bytes, CUDA_MEMCPY2D, dstXInBytes);
  EXPECT_SAME_PLACE(CuCopy2d, to.memory, CUDA_MEMCPY2D, dstMemoryType);
  EXPECT_SAME_PLACE(CuCopy2d, to.device, CUDA_MEMCPY2D, dstDevice);
  EXPECT_SAME_PLACE(CuCopy2d, to.array, CUDA_MEMCPY2D, dstArray);
  EXPECT_SAME_PLACE(CuCopy2d, to.pitch_bytes, CUDA_MEMCPY2D, dstPitch);
  EXPECT_SAME_PLACE(CuCopy2d, width_bytes, CUDA_MEMCPY2D, WidthInBytes);
  EXPECT_SAME_PLACE(CuCopy2d, height, CUDA_MEMCPY2D, Height);
}

TEST(DriverTypes, AResourceIsThatOfTheHeader) {
  EXPECT_EQ(sizeof(CuResource), sizeof(CUDA_RESOURCE_DESC));
  EXPECT_SAME_PLACE(CuResource, type, CUDA_RESOURCE_DESC, resType);
  EXPECT_SAME_PLACE(CuResource, of.array.array, CUDA_RESOURCE_DESC, res.array.hArray);
  EXPECT_SAME_PLACE(CuResource, of.linear.at, CUDA_RESOURCE_DESC, res.linear.devPtr);
  EXPECT_SAME_PLACE(CuResource, of.linear.format, CUDA_RESOURCE_DESC, res.linear.format);
  EXPECT_SAME_PLACE(CuResource, of.linear.channels, CUDA_RESOURCE_DESC, res.linear.numChannels);
  EXPECT_SAME_PLACE(CuResource, of.linear.size_bytes, CUDA_RESOURCE_DESC, res.linear.sizeInBytes);
  EXPECT_SAME_PLACE(CuResource, flags, CUDA_RESOURCE_DESC, flags);
}

TEST(DriverTypes, ASamplerIsThatOfTheHeader) {
  EXPECT_EQ(sizeof(CuSampler), sizeof(CUDA_TEXTURE_DESC));
  EXPECT_SAME_PLACE(CuSampler, address, CUDA_TEXTURE_DESC, addressMode);
  EXPECT_SAME_PLACE(CuSampler, filter, CUDA_TEXTURE_DESC, filterMode);
  EXPECT_SAME_PLACE(CuSampler, flags, CUDA_TEXTURE_DESC, flags);
  EXPECT_SAME_PLACE(CuSampler, anisotropy, CUDA_TEXTURE_DESC, maxAnisotropy);
  EXPECT_SAME_PLACE(CuSampler, mipmap_bias, CUDA_TEXTURE_DESC, mipmapLevelBias);
  EXPECT_SAME_PLACE(CuSampler, border, CUDA_TEXTURE_DESC, borderColor);
}

TEST(DriverTypes, NumbersAreThoseOfTheHeader) {
  const std::pair<int, int> kSame[] = {
      {array_format::kU8, CU_AD_FORMAT_UNSIGNED_INT8},
      {array_format::kU16, CU_AD_FORMAT_UNSIGNED_INT16},
      {array_format::kU32, CU_AD_FORMAT_UNSIGNED_INT32},
      {array_format::kI32, CU_AD_FORMAT_SIGNED_INT32},
      {array_format::kF32, CU_AD_FORMAT_FLOAT},
      {memory_type::kDevice, CU_MEMORYTYPE_DEVICE},
      {memory_type::kArray, CU_MEMORYTYPE_ARRAY},
      {resource_type::kArray, CU_RESOURCE_TYPE_ARRAY},
      {resource_type::kLinear, CU_RESOURCE_TYPE_LINEAR},
      {kSurfaceArray, CUDA_ARRAY3D_SURFACE_LDST},
      {kReadAsInteger, CU_TRSF_READ_AS_INTEGER},
      {kNormalizedCoordinates, CU_TRSF_NORMALIZED_COORDINATES},
      {kPrintfBufferLimit, CU_LIMIT_PRINTF_FIFO_SIZE},
      {kComputeModeProhibited, CU_COMPUTEMODE_PROHIBITED},
      {attribute::kClockKhz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE},
      {attribute::kSmCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
      {attribute::kMemoryClockKhz, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE},
      {attribute::kBusWidth, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH},
      {attribute::kL2Bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE},
      {attribute::kMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
      {tensor_map::kNoInterleave, CU_TENSOR_MAP_INTERLEAVE_NONE},
      {tensor_map::kNoSwizzle, CU_TENSOR_MAP_SWIZZLE_NONE},
      {tensor_map::kNoSwizzle + 1, CU_TENSOR_MAP_SWIZZLE_32B},
      {tensor_map::kNoSwizzle + 3, CU_TENSOR_MAP_SWIZZLE_128B},
      {tensor_map::kPromotion128Bytes, CU_TENSOR_MAP_L2_PROMOTION_L2_128B},
      {tensor_map::kZeros, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE},
      {tensor_map::kNan, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA},
      {static_cast<int>(tensor_map::kBytes), static_cast<int>(sizeof(CUtensorMap))},
      {static_cast<int>(TensorType::kU8), CU_TENSOR_MAP_DATA_TYPE_UINT8},
      {static_cast<int>(TensorType::kF16), CU_TENSOR_MAP_DATA_TYPE_FLOAT16},
      {static_cast<int>(TensorType::kTf32Ftz), CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ},
      {static_cast<int>(TextureAddress::kWrap), CU_TR_ADDRESS_MODE_WRAP},
      {static_cast<int>(TextureAddress::kClamp), CU_TR_ADDRESS_MODE_CLAMP},
      {static_cast<int>(TextureAddress::kMirror), CU_TR_ADDRESS_MODE_MIRROR},
      {static_cast<int>(TextureAddress::kBorder), CU_TR_ADDRESS_MODE_BORDER},
  };
  for (const auto& [ours, theirs] : kSame) EXPECT_EQ(ours, theirs);
}

// NOLINTEND(bugprone-sizeof-expression)

}  // namespace
}  // namespace warpshop::device

#else

TEST(DriverTypes, NeedsTheToolkitsHeader) { GTEST_SKIP() << "cuda.h is not there"; }

#endif
