#include "driver.h"

#include <dlfcn.h>

#include <cstdlib>

#include "device/worker.h"

namespace warpshop::device {
namespace {

// CUDA 11.0: the first whose drivers have every function of the table.
constexpr int kOldestVersion = 11000;

constexpr const char* kEmulatorWorks = "the emulator needs none of it: --device emulator";

// CUresult, cuda.h.
enum Error : CuResult {
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kStubLibrary = 34,
  kNewerDriverNeeded = 36,
  kDeviceUnavailable = 46,
  kNoDevice = 100,
  kNoBinary = 209,
  kEccUncorrectable = 214,
  kInvalidPtx = 218,
  kUnsupportedPtx = 222,
  kNotFound = 500,
  kIllegalAddress = 700,
  kOutOfResources = 701,
  kLaunchTimeout = 702,
  kAssert = 710,
  kStackError = 714,
  kIllegalInstruction = 715,
  kMisaligned = 716,
  kInvalidAddressSpace = 717,
  kInvalidPc = 718,
  kLaunchFailed = 719,
  kNotPermitted = 800,
  kSystemNotReady = 802,
  kDriverMismatch = 803,
  kCompatNotSupported = 804,
};

struct Meaning {
  CuResult error;
  const char* kind;
  const char* text;
  const char* help;
};

constexpr const char* kFindingHelp =
    "the emulator's findings name the line: check it with --device emulator";

constexpr Meaning kMeanings[] = {
    {kOutOfMemory, "gpu-memory", "the GPU's memory is full",
     "close other programs that use the GPU (nvidia-smi lists them), or choose another GPU"},
    {kStubLibrary, "gpu-driver", "this libcuda is the toolkit's stub, not a driver",
     "take the stubs folder out of LD_LIBRARY_PATH"},
    {kNewerDriverNeeded, "gpu-driver", "the driver is older than this needs",
     "install a newer NVIDIA driver"},
    {kDeviceUnavailable, "gpu-busy", "the GPU is busy: another program has it for itself",
     "wait, choose another GPU, or set its compute mode back: nvidia-smi -c DEFAULT"},
    {kNoDevice, "gpu-none", "the driver finds no NVIDIA GPU", kEmulatorWorks},
    {kNoBinary, "gpu-driver", "the driver cannot load a kernel compiled for this GPU",
     "install an NVIDIA driver for the CUDA version of the compiler, or newer"},
    {kEccUncorrectable, "gpu-fault", "the GPU's memory has an uncorrectable error",
     "reboot; if it comes back, the card is broken"},
    {kInvalidPtx, "gpu-driver", "the driver's compiler refuses the PTX", ""},
    {kUnsupportedPtx, "gpu-driver", "the driver is older than the compiler's PTX",
     "install an NVIDIA driver for the CUDA version of the compiler, or newer"},
    {kIllegalAddress, "gpu-fault", "the kernel used an address outside its buffers", kFindingHelp},
    {kOutOfResources, "gpu-launch", "the launch needs more registers or memory than the GPU has",
     "use smaller blocks"},
    {kLaunchTimeout, "gpu-timeout", "the kernel ran longer than the display's driver allows", ""},
    {kAssert, "gpu-fault", "an assert in the kernel failed", kFindingHelp},
    {kStackError, "gpu-fault", "the kernel's stack overflowed", kFindingHelp},
    {kIllegalInstruction, "gpu-fault", "the kernel ran an illegal instruction", kFindingHelp},
    {kMisaligned, "gpu-fault", "the kernel used a misaligned address", kFindingHelp},
    {kInvalidAddressSpace, "gpu-fault", "the kernel used an address of the wrong memory space",
     kFindingHelp},
    {kInvalidPc, "gpu-fault", "the kernel jumped to an invalid place", kFindingHelp},
    {kLaunchFailed, "gpu-fault", "the kernel ended with a trap or another fault", kFindingHelp},
    {kNotPermitted, "gpu-busy", "using the GPU is not permitted",
     "ask who administers this machine for access to /dev/nvidia*"},
    {kSystemNotReady, "gpu-driver", "the GPU system is not ready: its fabric manager does not run",
     "start nvidia-fabricmanager"},
    {kDriverMismatch, "gpu-driver", "the driver's library and its kernel module differ in version",
     "reboot after the driver's update"},
    {kCompatNotSupported, "gpu-driver", "CUDA's compatibility library does not support this GPU",
     "take cuda-compat out of LD_LIBRARY_PATH"},
};

std::string library_name() {
  const char* own = std::getenv("WARPSHOP_LIBCUDA");
  return own != nullptr && *own != '\0' ? own : "libcuda.so.1";
}

void* open_library(const std::string& name) {
  return ::dlopen(name == "self" ? nullptr : name.c_str(), RTLD_NOW | RTLD_LOCAL);
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

bool driver_is_installed() {
  void* handle = open_library(library_name());
  if (handle != nullptr) ::dlclose(handle);
  return handle != nullptr;
}

Result<std::shared_ptr<const Driver>> Driver::load() {
  const std::string name = library_name();
  void* handle = open_library(name);
  if (handle == nullptr) {
    const char* reason = ::dlerror();
    return make_error("gpu-none",
                      "there is no NVIDIA driver on this machine: " +
                          std::string(reason != nullptr ? reason : name + " cannot be loaded"),
                      kEmulatorWorks);
  }
  auto driver = std::make_shared<Driver>();
  driver->path = name;
  std::string missing;
#define WARPSHOP_BIND(name, symbol, parameters)                                                 \
  driver->name = reinterpret_cast<decltype(driver->name)>(::dlsym(handle, #symbol)); /*NOLINT*/ \
  if (driver->name == nullptr && missing.empty()) missing = #symbol;
  WARPSHOP_DRIVER_FUNCTIONS(WARPSHOP_BIND)
#undef WARPSHOP_BIND
  if (driver->driver_version != nullptr) driver->driver_version(&driver->version);
  if (driver->version < kOldestVersion || !missing.empty()) {
    return make_error("gpu-driver",
                      "the NVIDIA driver is too old: it is for CUDA " +
                          version_text(driver->version) + ", and CUDA " +
                          version_text(kOldestVersion) + " or newer is needed" +
                          (missing.empty() ? "" : " (it has no " + missing + ")"),
                      "install a newer NVIDIA driver");
  }
  const Status ready = driver->check(driver->init(0), "starting the driver");
  if (!ready.ok()) return ready.errors();
  return std::shared_ptr<const Driver>(std::move(driver));
}

Status Driver::check(CuResult result, const std::string& what) const {
  if (result == 0) return success();
  for (const Meaning& meaning : kMeanings) {
    if (meaning.error == result) {
      return make_error(meaning.kind, std::string(meaning.text) + " (" + what + ")", meaning.help);
    }
  }
  const char* name = nullptr;
  const char* text = nullptr;
  error_name(result, &name);
  error_text(result, &text);
  return make_error("gpu", what + " failed: " + (text != nullptr ? text : "unknown error") + " (" +
                               (name != nullptr ? name : std::to_string(result)) + ")");
}

bool is_sticky(CuResult result) {
  switch (result) {
    case kEccUncorrectable:
    case kIllegalAddress:
    case kLaunchTimeout:
    case kAssert:
    case kStackError:
    case kIllegalInstruction:
    case kMisaligned:
    case kInvalidAddressSpace:
    case kInvalidPc:
    case kLaunchFailed:
      return true;
    default:
      return false;
  }
}

}  // namespace warpshop::device
