#include "cupti.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace warpshop::device {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
constexpr const char* kInstall =
    "CUPTI comes with the CUDA Toolkit (extras/CUPTI) or the Python wheel nvidia-cuda-cupti; let "
    "WARPSHOP_LIBCUPTI name libcupti.so, 12.6 or newer";

// CUptiResult, cupti_result.h.
struct Meaning {
  CuptiResult error;
  const char* text;
  const char* help;
};
constexpr const char* kPermission =
    "NVIDIA's page ERR_NVGPUCTRPERM says how who administers the machine allows it: "
    "https://developer.nvidia.com/ERR_NVGPUCTRPERM";
constexpr Meaning kMeanings[] = {
    {26, "another profiler is using the counters",
     "end ncu, nsys or DCGM's profiling, then run again"},
    {27, "this GPU or its driver has no counters that can be read", ""},
    {33, "a virtual GPU's counters cannot be read", ""},
    {35, "the driver lets only administrators read counters (ERR_NVGPUCTRPERM)", kPermission},
    {38, "CUPTI does not know this GPU's counters", kInstall},
    {39, "another profiler is attached to this program", "start it without the profiler"},
    {40, "the host of this virtual GPU does not permit counters (ERR_NVGPUCTRPERM)", kPermission},
    {41, "counters cannot be read while confidential computing is on", ""},
    {43, "counters cannot be read on a part of a GPU (MIG)", ""},
    {45, "counters cannot be read under WSL with this driver", ""},
    {46, "CUPTI is older than this GPU", kInstall},
};

// The profiler's two other libraries are looked for by name: those beside it are loaded first, so
// that the loader knows them.
void* open_with_neighbours(const fs::path& library) {
  for (const char* name : {"libnvperf_host.so", "libnvperf_target.so"}) {
    std::error_code error;
    const fs::path neighbour = library.parent_path() / name;
    if (fs::exists(neighbour, error)) ::dlopen(neighbour.c_str(), RTLD_NOW | RTLD_GLOBAL);
  }
  return ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
}

// Where a toolkit and the wheels keep it, seen from the compiler's library.
std::vector<fs::path> folders(const fs::path& nvrtc) {
  const fs::path beside = nvrtc.parent_path();
  std::vector<fs::path> out;
  if (!beside.empty()) {
    const fs::path toolkit = beside.parent_path();
    out = {beside, toolkit / "extras" / "CUPTI" / "lib64",
           toolkit.parent_path() / "cuda_cupti" / "lib",
           toolkit.parent_path().parent_path() / "extras" / "CUPTI" / "lib64"};
  }
  out.emplace_back("/usr/local/cuda/extras/CUPTI/lib64");
  out.emplace_back("/usr/local/cuda/lib64");
  return out;
}

void* open_library(const std::string& nvrtc) {
  const char* own = std::getenv("WARPSHOP_LIBCUPTI");
  if (own != nullptr && *own != '\0') {
    return std::string_view(own) == "self" ? ::dlopen(nullptr, RTLD_NOW)
                                           : open_with_neighbours(own);
  }
  std::error_code error;
  for (const fs::path& folder : folders(nvrtc)) {
    for (const char* name : kNames) {
      if (!fs::exists(folder / name, error)) continue;
      if (void* handle = open_with_neighbours(folder / name)) return handle;
    }
  }
  for (const char* name : kNames) {
    if (void* handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return handle;
  }
  return nullptr;
}

}  // namespace

Result<std::shared_ptr<const Cupti>> Cupti::load(const std::string& nvrtc) {
  void* handle = open_library(nvrtc);
  if (handle == nullptr) {
    return make_error("gpu-counters", "the GPU's counters are not read: there is no CUPTI here",
                      kInstall);
  }
  auto cupti = std::make_shared<Cupti>();
  std::string missing;
#define WARPSHOP_BIND(name, symbol, parameters)                                               \
  cupti->name = reinterpret_cast<decltype(cupti->name)>(::dlsym(handle, #symbol)); /*NOLINT*/ \
  if (cupti->name == nullptr && missing.empty()) missing = #symbol;
  WARPSHOP_CUPTI_FUNCTIONS(WARPSHOP_BIND)
#undef WARPSHOP_BIND
  Dl_info info = {};
  if (cupti->initialize != nullptr &&
      ::dladdr(reinterpret_cast<void*>(cupti->initialize), &info) != 0) {  // NOLINT
    cupti->path = info.dli_fname;
  }
  if (!missing.empty()) {
    return make_error("gpu-counters",
                      "the GPU's counters are not read: CUPTI is too old (" + cupti->path +
                          " has no " + missing + ")",
                      kInstall);
  }
  return std::shared_ptr<const Cupti>(std::move(cupti));
}

Status Cupti::check(CuptiResult result, const std::string& what) const {
  if (result == 0) return success();
  const std::string not_read = "the GPU's counters are not read: ";
  for (const Meaning& meaning : kMeanings) {
    if (meaning.error == result)
      return make_error("gpu-counters", not_read + meaning.text + " (" + what + ")", meaning.help);
  }
  const char* text = nullptr;
  result_text(result, &text);
  return make_error("gpu-counters", not_read + what +
                                        " failed: " + (text != nullptr ? text : "CUPTI's error ") +
                                        " (" + std::to_string(result) + ")");
}

}  // namespace warpshop::device
