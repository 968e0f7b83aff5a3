#include "nvrtc_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

#include "core/fetched.h"

namespace warpshop::compile {
namespace {

namespace fs = std::filesystem;

// sm_90 is supported since 11.8; the register counts were compared with 13.0's.
constexpr int kOldestMajor = 11;
constexpr int kOldestMinor = 8;

constexpr std::string_view kPinnedNvrtc = "cuda-13.0";  // its folder, see cmake/fetch.py
constexpr const char* kFileNames[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};

Sentence how_to_install() {
  return sentence(
      "run {command} to fetch NVRTC; or install the CUDA Toolkit 13.0; or install the Python "
      "wheels "
      "nvidia-cuda-nvrtc, nvidia-cuda-runtime and nvidia-cuda-cccl, version 13.0, and set "
      "WARPSHOP_CUDA to the folder with their lib and include",
      {{"command", fetch_command(kPinnedNvrtc)}});
}

// Possible toolkit folders, preferred ones first.
std::vector<fs::path> toolkit_dirs() {
  std::vector<fs::path> dirs;
  const auto add = [&](const fs::path& dir) {
    if (!dir.empty() && std::find(dirs.begin(), dirs.end(), dir) == dirs.end()) {
      dirs.push_back(dir);
    }
  };
  if (const char* own = std::getenv("WARPSHOP_CUDA"); own != nullptr) add(own);
  for (const fs::path& place : places_of_fetched(kPinnedNvrtc)) add(place);
  // Found when it was built. The folder that ./start filled is its builder's own: others do not
  // load code from there.
  if (installed_prefix().empty() || !WARPSHOP_CUDA_DIR_IS_FETCHED) add(WARPSHOP_CUDA_DIR);
  if (const char* home = std::getenv("CUDA_HOME"); home != nullptr) add(home);
  add("/usr/local/cuda-13.0");
  add("/usr/local/cuda");
  return dirs;
}

// Library folders of a toolkit, a wheel and a distribution.
std::vector<fs::path> library_dirs(const fs::path& toolkit) {
  return {toolkit / "lib64", toolkit / "lib", toolkit / "targets" / "x86_64-linux" / "lib",
          toolkit / "targets" / "sbsa-linux" / "lib", toolkit};
}

// NVRTC opens its builtins by name only. Loading the copy beside it first makes that name known to
// the loader.
void load_builtins_beside(const fs::path& library) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(library.parent_path(), error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("libnvrtc-builtins.so") && name.find(".alt.") == std::string::npos) {
      dlopen(entry.path().c_str(), RTLD_NOW | RTLD_GLOBAL);
    }
  }
}

// The headers that belong to a library: from its own toolkit, else from any other candidate.
std::vector<fs::path> find_include_dirs(const fs::path& toolkit) {
  std::vector<fs::path> candidates = {toolkit};
  for (const fs::path& dir : toolkit_dirs()) candidates.push_back(dir);
  std::error_code error;
  for (const fs::path& candidate : candidates) {
    const fs::path include = candidate / "include";
    if (candidate.empty() || !fs::exists(include / "cuda_fp16.h", error)) continue;
    std::vector<fs::path> dirs = {include};
    if (fs::exists(include / "cccl", error)) dirs.push_back(include / "cccl");  // since 13.0
    if (fs::exists(include / "curand_kernel.h", error)) return dirs;
    // A toolkit includes cuRAND's headers; ./start fetches them separately.
    for (const fs::path& place : places_of_fetched("curand-10.4")) {
      if (!fs::exists(place / "include" / "curand_kernel.h", error)) continue;
      dirs.push_back(place / "include");
      break;
    }
    return dirs;
  }
  return {};
}

// Fills the table. Error: functions missing from the library.
Result<std::shared_ptr<const Compiler::Library>> bind(void* handle, const fs::path& toolkit) {
  auto library = std::make_shared<Compiler::Library>();
  std::string missing;
  const auto find = [&](const char* name) {
    void* found = dlsym(handle, name);
    if (found == nullptr && missing.empty()) missing = name;
    return found;
  };
#define WARPSHOP_BIND(name, parameters) \
  library->name = reinterpret_cast<decltype(library->name)>(find(#name));
  WARPSHOP_NVRTC_FUNCTIONS(WARPSHOP_BIND)
#undef WARPSHOP_BIND
  library->nvrtcGetErrorString =
      reinterpret_cast<decltype(library->nvrtcGetErrorString)>(find("nvrtcGetErrorString"));
  library->nvrtcSetFlowCallback = reinterpret_cast<decltype(library->nvrtcSetFlowCallback)>(
      dlsym(handle, "nvrtcSetFlowCallback"));

  Dl_info info = {};
  if (library->nvrtcVersion != nullptr) {
    library->nvrtcVersion(&library->major, &library->minor);
    if (dladdr(reinterpret_cast<void*>(library->nvrtcVersion), &info) != 0) {
      library->path = info.dli_fname;
    }
  }
  const bool too_old = library->major < kOldestMajor ||
                       (library->major == kOldestMajor && library->minor < kOldestMinor);
  if (too_old || !missing.empty()) {
    return make_error("nvrtc",
                      library->path + " is NVRTC " + std::to_string(library->major) + "." +
                          std::to_string(library->minor) + ", but " + std::to_string(kOldestMajor) +
                          "." + std::to_string(kOldestMinor) + " or newer is needed" +
                          (missing.empty() ? "" : " (it has no " + missing + ")"),
                      how_to_install());
  }
  library->include_dirs = find_include_dirs(toolkit);
  return std::shared_ptr<const Compiler::Library>(std::move(library));
}

void add_tried(std::string& tried, const Diagnostics& errors) {
  for (const Diagnostic& error : errors) tried += "\n    " + error.message;
}

}  // namespace

Result<std::shared_ptr<const Compiler::Library>> load_nvrtc() {
  return load_nvrtc_from(toolkit_dirs(), {std::begin(kFileNames), std::end(kFileNames)});
}

Result<std::shared_ptr<const Compiler::Library>> load_nvrtc_from(
    const std::vector<fs::path>& toolkits, const std::vector<std::string>& names) {
  std::string tried;
  std::error_code error;
  for (const fs::path& toolkit : toolkits) {
    for (const fs::path& dir : library_dirs(toolkit)) {
      for (const char* name : kFileNames) {
        const fs::path path = dir / name;
        if (!fs::exists(path, error)) continue;
        load_builtins_beside(path);
        if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
          auto library = bind(handle, toolkit);
          if (library.ok()) return library;
          add_tried(tried, library.errors());
        } else {
          tried += "\n    " + path.string() + ": " + dlerror();
        }
      }
    }
    tried += "\n    " + toolkit.string() + ": no usable libnvrtc in its lib64 or lib";
  }
  for (const std::string& name : names) {
    if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      auto library = bind(handle, {});
      if (library.ok()) return library;
      add_tried(tried, library.errors());
    }
    tried += "\n    " + name + ": not found by the system's loader";
  }
  return make_error(
      "nvrtc",
      sentence("the CUDA compiler library NVRTC was not found. Tried:{tried}", {{"tried", tried}}),
      how_to_install());
}

}  // namespace warpshop::compile
