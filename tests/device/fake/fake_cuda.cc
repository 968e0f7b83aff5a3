// A fake driver for tests without a GPU: implements the libcuda functions that the worker uses,
// with the emulator as its chip. Its GPU is newer than the compiler supports, so the worker loads
// PTX, which the emulator can run. FAKE_CUDA selects a fault: "no-driver", "old-driver",
// "older-driver" (than the compiler), "old-gpu", "no-gpu", "busy", "small".
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "device/worker.h"
#include "driver.h"
#include "emulator/launch.h"
#include "emulator/memory.h"
#include "emulator/program.h"
#include "emulator/tensor_map.h"
#include "emulator/texture_memory.h"
#include "fake_counters.h"
#include "ptx/parser.h"

namespace {

using namespace warpshop;  // NOLINT: a driver of the tests

constexpr int kInvalidValue = 1;
constexpr int kOutOfMemory = 2;
constexpr int kBusy = 46;
constexpr int kNoGpu = 100;
constexpr int kInvalidImage = 200;
constexpr int kNotFound = 500;
constexpr int kIllegalAddress = 700;
constexpr int kMisaligned = 716;

struct Module {
  std::shared_ptr<const ptx::Module> ptx;
  std::map<std::string, std::unique_ptr<emulator::Program>> kernels;
};

struct Event {
  double ms = 0;
};

double clock_ms = 0;  // advanced only by launches, so every run gets the same times
int lost = 0;         // the error that has made the context unusable

bool chosen(std::string_view what) {
  const char* value = std::getenv("FAKE_CUDA");
  return value != nullptr && what == value;
}

emulator::DeviceMemory& memory() {
  static emulator::DeviceMemory all(chosen("small") ? uint64_t{64} << 20 : uint64_t{4} << 30);
  return all;
}

emulator::TextureMemory& textures() {
  static emulator::TextureMemory all;
  return all;
}

// Converts cuda.h's CUarray_format to a texel format.
emulator::TexelFormat texel_format(int format) {
  switch (format) {
    case 0x01:
      return emulator::TexelFormat::kU8;
    case 0x02:
      return emulator::TexelFormat::kU16;
    case 0x03:
      return emulator::TexelFormat::kU32;
    case 0x0a:
      return emulator::TexelFormat::kS32;
    default:
      return emulator::TexelFormat::kF32;
  }
}

struct Array {
  int id = 0;  // key in textures()
};

// The bytes at a device address; nullptr unless all are in one allocation.
uint8_t* host(unsigned long long at, size_t size) {
  const emulator::DeviceMemory::Allocation* found = memory().find(at);
  if (found == nullptr || at + size > found->base + found->size_bytes) return nullptr;
  if (found->written != nullptr) std::memset(found->written + (at - found->base), 1, size);
  return found->data + (at - found->base);
}

}  // namespace

#define FAKE extern "C" __attribute__((visibility("default"))) int

FAKE cuInit(unsigned) { return chosen("no-gpu") ? kNoGpu : 0; }
FAKE cuDriverGetVersion(int* version) {
  *version = chosen("old-driver") ? 10020 : chosen("older-driver") ? 11040 : 99000;
  return 0;
}
FAKE cuGetErrorName(int, const char** name) {
  *name = "FAKE_ERROR";
  return 0;
}
FAKE cuGetErrorString(int, const char** text) {
  *text = "an error of the tests' driver";
  return 0;
}
FAKE cuDeviceGetCount(int* count) {
  *count = 1;
  return 0;
}
FAKE cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? 0 : 101;
}
FAKE cuDeviceGetName(char* name, int size, int) {
  std::strncpy(name, "Fake GPU", static_cast<size_t>(size));
  return 0;
}
FAKE cuDeviceGetAttribute(int* value, int attribute, int) {
  switch (attribute) {
    case 13:
    case 36:
      *value = 1000000;  // kHz, both clocks
      return 0;
    case 16:
      *value = 4;
      return 0;
    case 37:
      *value = 256;
      return 0;
    case 38:
      *value = 1 << 16;
      return 0;
    case 75:
      *value = chosen("old-gpu") ? 6 : 19;  // no compiler supports 19.9
      return 0;
    case 76:
      *value = chosen("old-gpu") ? 0 : 9;
      return 0;
    // Distinct numbers that no chip has, so that mix-ups show.
    case 1:
      *value = 768;
      return 0;
    case 8:
      *value = 40 << 10;
      return 0;
    case 12:
      *value = 32000;
      return 0;
    case 39:
      *value = 1536;
      return 0;
    case 81:
      *value = 90 << 10;
      return 0;
    case 82:
      *value = 64000;
      return 0;
    case 97:
      *value = 80 << 10;
      return 0;
    case 106:
      *value = 24;
      return 0;
    case 111:
      *value = 512;
      return 0;
    default:
      *value = 0;
      return 0;
  }
}
FAKE cuDeviceTotalMem_v2(size_t* bytes, int) {
  *bytes = size_t{4} << 30;
  return 0;
}
FAKE cuDeviceGetPCIBusId(char* id, int size, int) {
  std::strncpy(id, "0000:01:00.0", static_cast<size_t>(size));
  return 0;
}
FAKE cuDevicePrimaryCtxRetain(void** context, int) {
  *context = &clock_ms;
  return chosen("busy") ? kBusy : 0;
}
FAKE cuCtxSetCurrent(void*) { return 0; }
FAKE cuCtxSynchronize() { return lost; }
FAKE cuCtxSetLimit(int, size_t) { return 0; }
FAKE cuModuleLoadDataEx(Module** module, const void* image, unsigned, int*, void**) {
  const std::string text(static_cast<const char*>(image));
  ptx::ParseOutput parsed = ptx::parse(text, "image.ptx");
  if (has_errors(parsed.diagnostics)) return kInvalidImage;
  *module = new Module{std::make_shared<const ptx::Module>(std::move(parsed.module)), {}};
  return 0;
}
FAKE cuModuleUnload(Module* module) {
  delete module;
  return 0;
}
FAKE cuModuleGetFunction(emulator::Program** function, Module* module, const char* name) {
  std::unique_ptr<emulator::Program>& kernel = module->kernels[name];
  if (kernel == nullptr) {
    Result<emulator::Program> program = emulator::Program::decode(module->ptx, name);
    if (!program.ok()) return kNotFound;
    kernel = std::make_unique<emulator::Program>(std::move(*program));
  }
  *function = kernel.get();
  return 0;
}
FAKE cuFuncGetAttribute(int* value, int attribute, emulator::Program*) {
  *value = attribute == 0 ? 1024 : attribute == 4 ? 42 : 0;
  return 0;
}
FAKE cuFuncSetAttribute(emulator::Program*, int, int value) {
  return value > 100 << 10 ? kInvalidValue : 0;
}
FAKE cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, emulator::Program*, int threads,
                                                 size_t) {
  *blocks = 2048 / threads;
  return 0;
}
FAKE cuMemGetInfo_v2(size_t* free, size_t* total) {
  *free = *total = size_t{32} << 20;
  return 0;
}
FAKE cuMemAlloc_v2(unsigned long long* at, size_t size) {
  const Result<emulator::DevicePointer> pointer = memory().allocate(size, "fake");
  if (!pointer.ok()) return kOutOfMemory;
  *at = pointer.value();
  return 0;
}
FAKE cuMemFree_v2(unsigned long long) { return 0; }
FAKE cuMemcpyHtoD_v2(unsigned long long to, const void* from, size_t size) {
  uint8_t* bytes = host(to, size);
  if (bytes == nullptr) return kInvalidValue;
  std::memcpy(bytes, from, size);
  return lost;
}
FAKE cuMemcpyDtoH_v2(void* to, unsigned long long from, size_t size) {
  const uint8_t* bytes = host(from, size);
  if (bytes == nullptr) return kInvalidValue;
  std::memcpy(to, bytes, size);
  return lost;
}
FAKE cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from, size_t size, void*) {
  uint8_t* target = host(to, size);
  const uint8_t* source = host(from, size);
  if (target == nullptr || source == nullptr) return kInvalidValue;
  std::memcpy(target, source, size);
  clock_ms += 0.001;
  return lost;
}
FAKE cuMemsetD8Async(unsigned long long to, unsigned char value, size_t size, void*) {
  uint8_t* bytes = host(to, size);
  if (bytes == nullptr) return kInvalidValue;
  std::memset(bytes, value, size);
  return lost;
}
static int launch_kernel(emulator::Program* program, unsigned gx, unsigned gy, unsigned gz,
                         unsigned bx, unsigned by, unsigned bz, unsigned dynamic_shared,
                         void** arguments, bool cooperative) {
  if (lost != 0) return lost;
  emulator::LaunchConfig config;
  config.grid = {gx, gy, gz};
  config.block = {bx, by, bz};
  config.dynamic_shared_bytes = dynamic_shared;
  config.cooperative = cooperative;
  config.textures = &textures();
  const auto& params = program->function().params;
  for (size_t i = 0; i < params.size(); ++i) {
    const auto* bytes = static_cast<const uint8_t*>(arguments[i]);
    config.args.push_back({{bytes, bytes + params[i].size_bytes}});
  }
  emulator::LaunchOptions options;
  options.threads = 1;
  options.instruction_budget = 200'000'000;
  timing::AccessCounter counter({.blocks = {}});
  if (fake::counting()) options.accesses = &counter;
  const Result<emulator::LaunchResult> result =
      emulator::launch(*program, memory(), config, options);
  if (fake::counting()) fake::count(counter.totals());
  if (!result.ok()) return kInvalidValue;
  // Like the driver, writes what kernels print to standard output.
  std::fwrite(result.value().printed.data(), 1, result.value().printed.size(), stdout);
  for (const emulator::Finding& finding : result.value().findings) {
    if (finding.kind == emulator::FindingKind::kOutOfBounds) lost = kIllegalAddress;
    if (finding.kind == emulator::FindingKind::kMisaligned) lost = kMisaligned;
    if (finding.kind == emulator::FindingKind::kTimeout) {
      std::this_thread::sleep_for(std::chrono::hours(1));  // a hanging kernel
    }
  }
  clock_ms += 0.01;
  return 0;
}
FAKE cuLaunchKernel(emulator::Program* program, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                    unsigned by, unsigned bz, unsigned dynamic_shared, void*, void** arguments,
                    void**) {
  return launch_kernel(program, gx, gy, gz, bx, by, bz, dynamic_shared, arguments, false);
}
FAKE cuLaunchCooperativeKernel(emulator::Program* program, unsigned gx, unsigned gy, unsigned gz,
                               unsigned bx, unsigned by, unsigned bz, unsigned dynamic_shared,
                               void*, void** arguments) {
  return launch_kernel(program, gx, gy, gz, bx, by, bz, dynamic_shared, arguments, true);
}
FAKE cuArray3DCreate_v2(Array** array, const device::CuArrayShape* shape) {
  if (shape->depth != 0) return kInvalidValue;
  emulator::ArrayShape all{.format = texel_format(shape->format),
                           .channels = static_cast<int>(shape->channels),
                           .width = static_cast<uint32_t>(shape->width),
                           .height = static_cast<uint32_t>(shape->height)};
  const Result<int> id = textures().allocate_array(all, "fake");
  if (!id.ok()) return kInvalidValue;
  *array = new Array{id.value()};
  return 0;
}
FAKE cuArrayDestroy(Array* array) {
  delete array;
  return 0;
}
FAKE cuMemcpy2DUnaligned_v2(const device::CuCopy2d* copy) {
  const size_t size = copy->width_bytes * copy->height;
  const auto side = [size, copy](const device::CuCopySide& at) -> uint8_t* {
    if (at.memory == device::memory_type::kDevice) {
      return at.pitch_bytes == copy->width_bytes ? host(at.device, size) : nullptr;
    }
    const auto bytes = textures().bytes(reinterpret_cast<const Array*>(at.array)->id);
    return bytes.size() == size ? bytes.data() : nullptr;
  };
  uint8_t* to = side(copy->to);
  const uint8_t* from = side(copy->from);
  if (to == nullptr || from == nullptr) return kInvalidValue;
  std::memcpy(to, from, size);
  return lost;
}
FAKE cuTexObjectCreate(unsigned long long* object, const device::CuResource* resource,
                       const device::CuSampler* sampler, const void*) {
  using emulator::TextureAddress;
  constexpr TextureAddress kAddresses[] = {TextureAddress::kWrap, TextureAddress::kClamp,
                                           TextureAddress::kMirror, TextureAddress::kBorder};
  emulator::TextureSettings settings;
  for (size_t i = 0; i < 2; ++i)
    settings.address[i] = kAddresses[static_cast<size_t>(sampler->address[i])];
  settings.filter =
      sampler->filter == 1 ? emulator::TextureFilter::kLinear : emulator::TextureFilter::kPoint;
  settings.read = (sampler->flags & 1) != 0 ? emulator::TextureRead::kElement
                                            : emulator::TextureRead::kNormalizedFloat;
  settings.normalized_coordinates = (sampler->flags & 2) != 0;
  for (size_t i = 0; i < 4; ++i) settings.border[i] = sampler->border[i];
  const auto& linear = resource->of.linear;
  const emulator::TexelFormat format = resource->type == device::resource_type::kLinear
                                           ? texel_format(linear.format)
                                           : emulator::TexelFormat::kF32;
  const Result<emulator::TextureHandle> handle =
      resource->type == device::resource_type::kLinear
          ? textures().make_linear_texture(
                linear.at, format, static_cast<int>(linear.channels),
                linear.size_bytes / linear.channels / static_cast<size_t>(size_bytes(format)),
                settings, "fake")
          : textures().make_texture(reinterpret_cast<const Array*>(resource->of.array.array)->id,
                                    settings);
  if (!handle.ok()) return kInvalidValue;
  *object = handle.value();
  return 0;
}
FAKE cuTensorMapEncodeTiled(void* encoded, int type, unsigned rank, void* base,
                            const uint64_t* extents, const uint64_t* strides, const uint32_t* box,
                            const uint32_t* element_strides, int, int swizzle, int, int fill) {
  emulator::TensorMap tensor;
  if (rank < 1 || rank > tensor.extents.size()) return kInvalidValue;
  tensor.type = static_cast<TensorType>(type);
  tensor.rank = static_cast<int>(rank);
  tensor.base = reinterpret_cast<uint64_t>(base);  // NOLINT: an address on the GPU
  std::copy_n(extents, rank, tensor.extents.begin());
  std::copy_n(strides, rank - 1, tensor.strides.begin());
  std::copy_n(box, rank, tensor.box.begin());
  std::copy_n(element_strides, rank, tensor.element_strides.begin());
  tensor.swizzle_bytes = swizzle == 0 ? 0 : 16 << swizzle;
  tensor.nan_outside = fill == 1;
  if (!emulator::check_tensor_map(tensor, "fake").ok()) return kInvalidValue;
  const auto bytes = emulator::encode(tensor);
  std::memcpy(encoded, bytes.data(), bytes.size());
  return 0;
}
FAKE cuTexObjectDestroy(unsigned long long) { return 0; }
FAKE cuSurfObjectCreate(unsigned long long* object, const device::CuResource* resource) {
  const Result<emulator::TextureHandle> handle =
      textures().make_surface(reinterpret_cast<const Array*>(resource->of.array.array)->id);
  if (!handle.ok()) return kInvalidValue;
  *object = handle.value();
  return 0;
}
FAKE cuSurfObjectDestroy(unsigned long long) { return 0; }
FAKE cuEventCreate(Event** event, unsigned) {
  *event = new Event;
  return 0;
}
FAKE cuEventDestroy_v2(Event* event) {
  delete event;
  return 0;
}
FAKE cuEventRecord(Event* event, void*) {
  event->ms = clock_ms;
  return lost;
}
FAKE cuEventSynchronize(Event*) { return lost; }
FAKE cuEventElapsedTime(float* ms, Event* begin, Event* end) {
  *ms = static_cast<float>(end->ms - begin->ms);
  return 0;
}

int main() {
  ::setenv("WARPSHOP_LIBCUDA", chosen("no-driver") ? "/no/libcuda.so.1" : "self", 1);
  const char* cupti = std::getenv("FAKE_CUPTI");
  const bool none = cupti != nullptr && std::string_view(cupti) == "none";
  ::setenv("WARPSHOP_LIBCUPTI", none ? "/no/libcupti.so" : "self", 1);
  return warpshop::device::serve_worker();
}
