#include "cupti.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace warpshop::device {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
Sentence install() {
  return sentence(
      "CUPTI is part of the CUDA Toolkit (extras/CUPTI) and of the Python wheel nvidia-cuda-cupti; "
      "set WARPSHOP_LIBCUPTI to a libcupti.so of version 12.6 or newer");
}

// CUptiResult, cupti_result.h.
struct CuptiMeaning {
  CuptiResult error;
  Sentence text;
  Sentence help;
};
const std::vector<CuptiMeaning>& cupti_meanings() {
  static const Sentence kPermission =
      sentence("an administrator can allow it, see https://developer.nvidia.com/ERR_NVGPUCTRPERM");
  static const std::vector<CuptiMeaning> kMeanings = {
      {26, sentence("another profiler is using the counters"),
       sentence("stop ncu, nsys or DCGM profiling, then run again")},
      {27, sentence("this GPU or its driver has no readable counters"), {}},
      {33, sentence("a virtual GPU's counters cannot be read"), {}},
      {35, sentence("the driver lets only administrators read counters (ERR_NVGPUCTRPERM)"),
       kPermission},
      {38, sentence("CUPTI does not know this GPU's counters"), install()},
      {39, sentence("another profiler is attached to this program"),
       sentence("start it without the profiler")},
      {40, sentence("the host of this virtual GPU does not permit counters (ERR_NVGPUCTRPERM)"),
       kPermission},
      {41, sentence("counters cannot be read while confidential computing is on"), {}},
      {43, sentence("counters cannot be read on a GPU partition (MIG)"), {}},
      {45, sentence("counters cannot be read under WSL with this driver"), {}},
      {46, sentence("CUPTI is older than this GPU"), install()},
  };
  return kMeanings;
}

// The profiler opens its two other libraries by name only. Loading the copies beside it first makes
// those names known to the loader.
void* open_with_neighbours(const fs::path& library) {
  for (const char* name : {"libnvperf_host.so", "libnvperf_target.so"}) {
    std::error_code error;
    const fs::path neighbour = library.parent_path() / name;
    if (fs::exists(neighbour, error)) ::dlopen(neighbour.c_str(), RTLD_NOW | RTLD_GLOBAL);
  }
  return ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
}

// Folders where a toolkit and the wheels keep CUPTI, relative to the compiler's library.
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

void* open_cupti(const std::string& nvrtc) {
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

Sentence not_read(Sentence why) {
  return sentence("the GPU's counters were not read: {why}", {{"why", std::move(why)}});
}

Result<std::shared_ptr<const Cupti>> Cupti::load(const std::string& nvrtc) {
  void* handle = open_cupti(nvrtc);
  if (handle == nullptr) {
    return make_error("gpu-counters", not_read(sentence("CUPTI was not found")), install());
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
                      not_read(sentence("CUPTI is too old ({file} has no {function})",
                                        {{"file", cupti->path}, {"function", missing}})),
                      install());
  }
  return std::shared_ptr<const Cupti>(std::move(cupti));
}

Status Cupti::check(CuptiResult result, const Sentence& what) const {
  if (result == 0) return success();
  for (const CuptiMeaning& meaning : cupti_meanings()) {
    if (meaning.error == result)
      return make_error(
          "gpu-counters",
          not_read(sentence("{problem} ({doing})", {{"problem", meaning.text}, {"doing", what}})),
          meaning.help);
  }
  const char* text = nullptr;
  result_text(result, &text);
  return make_error(
      "gpu-counters",
      not_read(sentence("{doing} failed: {error} ({code})",
                        {{"doing", what},
                         {"error", text != nullptr ? Sentence(text) : sentence("CUPTI's error")},
                         {"code", result}})));
}

}  // namespace warpshop::device
