// Loads libcuda at run time, through a single table of names like volk's for Vulkan: adding a
// function takes one line, and the program starts without a driver.
// https://docs.nvidia.com/cuda/cuda-driver-api/
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/result.h"

namespace warpshop::device {

// cuda.h belongs to the toolkit, which may be missing when this program is built.
using CuResult = int;  // 0 is CUDA_SUCCESS
using CuDevice = int;
using CuPointer = unsigned long long;
using CuContext = struct CuContextState*;
using CuModule = struct CuModuleState*;
using CuFunction = struct CuFunctionState*;
using CuStream = struct CuStreamState*;
using CuEvent = struct CuEventState*;
using CuArray = struct CuArrayState*;
using CuObject = unsigned long long;  // a texture or surface object, as passed to the kernel

// CUDA_ARRAY3D_DESCRIPTOR, CUDA_MEMCPY2D, CUDA_RESOURCE_DESC and CUDA_TEXTURE_DESC of cuda.h.
// tests/device/driver_types_test.cc compares their layout.
struct CuArrayShape {
  size_t width = 0;
  size_t height = 0;  // 0: one-dimensional
  size_t depth = 0;
  int format = 0;
  unsigned channels = 1;
  unsigned flags = 0;
};
struct CuCopySide {  // of a copy between arrays, device memory and the host
  size_t x_bytes = 0;
  size_t y = 0;
  int memory = 0;  // CUmemorytype
  const void* host = nullptr;
  CuPointer device = 0;
  CuArray array = nullptr;
  size_t pitch_bytes = 0;
};
struct CuCopy2d {
  CuCopySide from;
  CuCopySide to;
  size_t width_bytes = 0;
  size_t height = 0;
};
struct CuResource {
  int type = 0;  // CUresourcetype
  union {
    struct {
      CuArray array;
    } array;
    struct {
      CuPointer at;
      int format;
      unsigned channels;
      size_t size_bytes;
    } linear;
    int reserved[32];
  } of = {};
  unsigned flags = 0;
};
struct CuSampler {
  int address[3] = {};
  int filter = 0;
  unsigned flags = 0;
  unsigned anisotropy = 0;
  int mipmap_filter = 0;
  float mipmap_bias = 0;
  float mipmap_least = 0;
  float mipmap_most = 0;
  float border[4] = {};
  int reserved[12] = {};
};

// Columns: name here, symbol (the version with these parameters), parameters. All are in drivers
// for CUDA 11.0 and newer.
// clang-format off
#define WARPSHOP_DRIVER_FUNCTIONS(X)                                                             \
  X(init,                    cuInit,                       (unsigned flags))                     \
  X(driver_version,          cuDriverGetVersion,           (int* version))                       \
  X(error_name,              cuGetErrorName,               (CuResult error, const char** name))  \
  X(error_text,              cuGetErrorString,             (CuResult error, const char** text))  \
  X(device_count,            cuDeviceGetCount,             (int* count))                         \
  X(device,                  cuDeviceGet,                  (CuDevice* device, int ordinal))      \
  X(device_name,             cuDeviceGetName,                                                    \
                             (char* name, int size, CuDevice device))                            \
  X(device_attribute,        cuDeviceGetAttribute,                                               \
                             (int* value, int attribute, CuDevice device))                       \
  X(device_memory,           cuDeviceTotalMem_v2,          (size_t* bytes, CuDevice device))     \
  X(device_pci,              cuDeviceGetPCIBusId,          (char* id, int size, CuDevice device)) \
  X(retain_context,          cuDevicePrimaryCtxRetain,     (CuContext* context, CuDevice device)) \
  X(set_context,             cuCtxSetCurrent,              (CuContext context))                  \
  X(synchronize,             cuCtxSynchronize,             ())                                   \
  X(set_limit,               cuCtxSetLimit,                (int limit, size_t value))            \
  X(load_module,             cuModuleLoadDataEx,           (CuModule* module, const void* image, \
                              unsigned options, int* names, void** values))                      \
  X(unload_module,           cuModuleUnload,               (CuModule module))                    \
  X(module_function,         cuModuleGetFunction,          (CuFunction* function, CuModule module, \
                              const char* name))                                                 \
  X(function_attribute,      cuFuncGetAttribute,                                                 \
                             (int* value, int attribute, CuFunction function))                   \
  X(set_function_attribute,  cuFuncSetAttribute,                                                 \
                             (CuFunction function, int attribute, int value))                    \
  X(blocks_per_sm,           cuOccupancyMaxActiveBlocksPerMultiprocessor, (int* blocks,          \
                              CuFunction function, int threads, size_t dynamic_shared))          \
  X(memory_info,             cuMemGetInfo_v2,              (size_t* free, size_t* total))        \
  X(allocate,                cuMemAlloc_v2,                (CuPointer* pointer, size_t bytes))   \
  X(release,                 cuMemFree_v2,                 (CuPointer pointer))                  \
  X(upload,                  cuMemcpyHtoD_v2,                                                    \
                             (CuPointer to, const void* from, size_t bytes))                     \
  X(download,                cuMemcpyDtoH_v2,                                                    \
                             (void* to, CuPointer from, size_t bytes))                           \
  X(copy,                    cuMemcpyDtoDAsync_v2,         (CuPointer to, CuPointer from,        \
                              size_t bytes, CuStream stream))                                    \
  X(set_bytes,               cuMemsetD8Async,              (CuPointer to, unsigned char value,   \
                              size_t bytes, CuStream stream))                                    \
  X(launch,                  cuLaunchKernel,               (CuFunction function,                 \
                              unsigned grid_x, unsigned grid_y, unsigned grid_z,                 \
                              unsigned block_x, unsigned block_y, unsigned block_z,              \
                              unsigned dynamic_shared, CuStream stream, void** arguments,        \
                              void** extra))                                                     \
  X(launch_cooperative,      cuLaunchCooperativeKernel,    (CuFunction function,                 \
                              unsigned grid_x, unsigned grid_y, unsigned grid_z,                 \
                              unsigned block_x, unsigned block_y, unsigned block_z,              \
                              unsigned dynamic_shared, CuStream stream, void** arguments))       \
  X(create_array,            cuArray3DCreate_v2,                                                 \
                             (CuArray* array, const CuArrayShape* shape))                        \
  X(destroy_array,           cuArrayDestroy,               (CuArray array))                      \
  X(copy_2d,                 cuMemcpy2DUnaligned_v2,       (const CuCopy2d* copy))               \
  X(create_texture,          cuTexObjectCreate,                                                  \
                             (CuObject* texture, const CuResource* resource,                     \
                              const CuSampler* sampler, const void* view))                       \
  X(destroy_texture,         cuTexObjectDestroy,           (CuObject texture))                   \
  X(create_surface,          cuSurfObjectCreate,                                                 \
                             (CuObject* surface, const CuResource* resource))                    \
  X(destroy_surface,         cuSurfObjectDestroy,          (CuObject surface))                   \
  X(create_event,            cuEventCreate,                (CuEvent* event, unsigned flags))     \
  X(destroy_event,           cuEventDestroy_v2,            (CuEvent event))                      \
  X(record_event,            cuEventRecord,                (CuEvent event, CuStream stream))     \
  X(wait_event,              cuEventSynchronize,           (CuEvent event))                      \
  X(elapsed_ms,              cuEventElapsedTime,           (float* ms, CuEvent begin, CuEvent end))
// In drivers for CUDA 12.0 and newer; null in older ones.
#define WARPSHOP_NEWER_DRIVER_FUNCTIONS(X)                                                       \
  X(encode_tensor_map,       cuTensorMapEncodeTiled,       (void* map, int type, unsigned rank,  \
                              void* base, const uint64_t* extents, const uint64_t* strides,      \
                              const uint32_t* box, const uint32_t* element_strides,              \
                              int interleave, int swizzle, int l2_promotion, int fill))
// clang-format on

struct Driver {
#define WARPSHOP_DECLARE(name, symbol, parameters) CuResult(*name) parameters = nullptr;
  WARPSHOP_DRIVER_FUNCTIONS(WARPSHOP_DECLARE)
  WARPSHOP_NEWER_DRIVER_FUNCTIONS(WARPSHOP_DECLARE)
#undef WARPSHOP_DECLARE
  std::string path;
  int version = 0;  // 1000 × major + 10 × minor of the supported CUDA version

  // Loads and initialises libcuda.so.1, or the library named by WARPSHOP_LIBCUDA ("self": this
  // program defines the functions, as the tests' worker does). Error: kind "gpu-none" if there is
  // no driver or GPU, "gpu-driver" if the driver is too old or does not work.
  static Result<std::shared_ptr<const Driver>> load();

  // success(), or what failed while doing `what` ("starting the driver") and what to do. Kind: one
  // of gpu-none, gpu-driver, gpu-busy, gpu-memory, gpu-fault, gpu-launch, gpu.
  Status check(CuResult result, const Sentence& what) const;
};

// True if this error destroys the context, so that the process can do nothing more.
bool is_sticky(CuResult result);

// Constants from cuda.h.
namespace attribute {
inline constexpr int kClockKhz = 13;
inline constexpr int kSmCount = 16;
inline constexpr int kComputeMode = 20;
inline constexpr int kEcc = 32;
inline constexpr int kMemoryClockKhz = 36;
inline constexpr int kBusWidth = 37;
inline constexpr int kL2Bytes = 38;
inline constexpr int kMajor = 75;
inline constexpr int kMinor = 76;
}  // namespace attribute
namespace function_attribute {
inline constexpr int kMaxThreads = 0;
inline constexpr int kSharedBytes = 1;
inline constexpr int kLocalBytes = 3;
inline constexpr int kRegisters = 4;
inline constexpr int kMaxDynamicShared = 8;
}  // namespace function_attribute
namespace array_format {  // CUarray_format
inline constexpr int kU8 = 0x01;
inline constexpr int kU16 = 0x02;
inline constexpr int kU32 = 0x03;
inline constexpr int kI32 = 0x0a;
inline constexpr int kF32 = 0x20;
}  // namespace array_format
namespace memory_type {  // CUmemorytype
inline constexpr int kDevice = 2;
inline constexpr int kArray = 3;
}  // namespace memory_type
namespace resource_type {  // CUresourcetype
inline constexpr int kArray = 0;
inline constexpr int kLinear = 2;
}  // namespace resource_type
namespace tensor_map {
inline constexpr size_t kBytes = 128;         // CUtensorMap
inline constexpr int kNoInterleave = 0;       // CU_TENSOR_MAP_INTERLEAVE_NONE
inline constexpr int kNoSwizzle = 0;          // CU_TENSOR_MAP_SWIZZLE_NONE; 32B, 64B, 128B: 1 to 3
inline constexpr int kPromotion128Bytes = 2;  // CU_TENSOR_MAP_L2_PROMOTION_L2_128B
inline constexpr int kZeros = 0;              // CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE
inline constexpr int kNan = 1;                // CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
}  // namespace tensor_map
inline constexpr unsigned kSurfaceArray = 0x02;           // CUDA_ARRAY3D_SURFACE_LDST
inline constexpr unsigned kReadAsInteger = 0x01;          // CU_TRSF_READ_AS_INTEGER
inline constexpr unsigned kNormalizedCoordinates = 0x02;  // CU_TRSF_NORMALIZED_COORDINATES
inline constexpr int kPrintfBufferLimit = 1;              // CU_LIMIT_PRINTF_FIFO_SIZE
inline constexpr int kComputeModeProhibited = 2;

}  // namespace warpshop::device
