#include "driver.h"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

#include "device/worker.h"

namespace warpshop::device {
namespace {

// CUDA 11.0: the oldest version whose drivers have every function in the table.
constexpr int kOldestVersion = 11000;

Sentence emulator_works() { return sentence("the emulator works without one: --device emulator"); }

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

struct DriverMeaning {
  CuResult error;
  DiagnosticKind kind;
  Sentence text;
  Sentence help;
};

const std::vector<DriverMeaning>& driver_meanings() {
  static const Sentence kFindingHelp =
      sentence("the emulator's findings name the line: check it with --device emulator");
  static const std::vector<DriverMeaning> kMeanings = {
      {kOutOfMemory, "gpu-memory", sentence("the GPU's memory is full"),
       sentence(
           "close other programs that use the GPU (nvidia-smi lists them), or choose another GPU")},
      {kStubLibrary, "gpu-driver", sentence("this libcuda is the toolkit's stub, not a driver"),
       sentence("remove the stubs folder from LD_LIBRARY_PATH")},
      {kNewerDriverNeeded, "gpu-driver", sentence("the driver is too old for this"),
       sentence("install a newer NVIDIA driver")},
      {kDeviceUnavailable, "gpu-busy",
       sentence("the GPU is busy: another program has exclusive use of it"),
       sentence("wait, choose another GPU, or reset its compute mode: nvidia-smi -c DEFAULT")},
      {kNoDevice, "gpu-none", sentence("the driver finds no NVIDIA GPU"), emulator_works()},
      {kNoBinary, "gpu-driver", sentence("the driver cannot load a kernel compiled for this GPU"),
       sentence("install an NVIDIA driver for the CUDA version of the compiler, or newer")},
      {kEccUncorrectable, "gpu-fault", sentence("the GPU's memory has an uncorrectable error"),
       sentence("reboot; if it comes back, the card is broken")},
      {kInvalidPtx, "gpu-driver", sentence("the driver's compiler rejects the PTX"), {}},
      {kUnsupportedPtx, "gpu-driver", sentence("the driver is older than the compiler's PTX"),
       sentence("install an NVIDIA driver for the CUDA version of the compiler, or newer")},
      {kIllegalAddress, "gpu-fault", sentence("the kernel used an address outside its buffers"),
       kFindingHelp},
      {kOutOfResources, "gpu-launch",
       sentence("the launch needs more registers or memory than the GPU has"),
       sentence("use smaller blocks")},
      {kLaunchTimeout,
       "gpu-timeout",
       sentence("the kernel ran longer than the display driver allows"),
       {}},
      {kAssert, "gpu-fault", sentence("an assert in the kernel failed"), kFindingHelp},
      {kStackError, "gpu-fault", sentence("the kernel's stack overflowed"), kFindingHelp},
      {kIllegalInstruction, "gpu-fault", sentence("the kernel ran an illegal instruction"),
       kFindingHelp},
      {kMisaligned, "gpu-fault", sentence("the kernel used a misaligned address"), kFindingHelp},
      {kInvalidAddressSpace, "gpu-fault",
       sentence("the kernel used an address in the wrong memory space"), kFindingHelp},
      {kInvalidPc, "gpu-fault", sentence("the kernel jumped to an invalid address"), kFindingHelp},
      {kLaunchFailed, "gpu-fault", sentence("the kernel ended with a trap or another fault"),
       kFindingHelp},
      {kNotPermitted, "gpu-busy", sentence("using the GPU is not permitted"),
       sentence("ask the administrator of this machine for access to /dev/nvidia*")},
      {kSystemNotReady, "gpu-driver",
       sentence("the GPU system is not ready: its fabric manager is not running"),
       sentence("start nvidia-fabricmanager")},
      {kDriverMismatch, "gpu-driver",
       sentence("the driver's library and its kernel module differ in version"),
       sentence("reboot after updating the driver")},
      {kCompatNotSupported, "gpu-driver",
       sentence("CUDA's compatibility library does not support this GPU"),
       sentence("remove cuda-compat from LD_LIBRARY_PATH")},
  };
  return kMeanings;
}

std::string library_name() {
  const char* own = std::getenv("WARPSHOP_LIBCUDA");
  return own != nullptr && *own != '\0' ? own : "libcuda.so.1";
}

void* open_driver(const std::string& name) {
  return ::dlopen(name == "self" ? nullptr : name.c_str(), RTLD_NOW | RTLD_LOCAL);
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

bool driver_is_installed() {
  void* handle = open_driver(library_name());
  if (handle != nullptr) ::dlclose(handle);
  return handle != nullptr;
}

bool driver_is_of_a_class() { return false; }

Result<std::shared_ptr<const Driver>> Driver::load() {
  const std::string name = library_name();
  void* handle = open_driver(name);
  if (handle == nullptr) {
    const char* reason = ::dlerror();
    return make_error("gpu-none",
                      sentence("there is no NVIDIA driver on this machine: {reason}",
                               {{"reason", reason != nullptr ? Sentence(reason)
                                                             : sentence("{file} cannot be loaded",
                                                                        {{"file", name}})}}),
                      emulator_works());
  }
  auto driver = std::make_shared<Driver>();
  driver->path = name;
  std::string missing;
#define WARPSHOP_BIND(name, symbol, parameters)                                                 \
  driver->name = reinterpret_cast<decltype(driver->name)>(::dlsym(handle, #symbol)); /*NOLINT*/ \
  if (driver->name == nullptr && missing.empty()) missing = #symbol;
  WARPSHOP_DRIVER_FUNCTIONS(WARPSHOP_BIND)
#undef WARPSHOP_BIND
#define WARPSHOP_BIND(name, symbol, parameters) \
  driver->name = reinterpret_cast<decltype(driver->name)>(::dlsym(handle, #symbol)); /*NOLINT*/
  WARPSHOP_NEWER_DRIVER_FUNCTIONS(WARPSHOP_BIND)
#undef WARPSHOP_BIND
  if (driver->driver_version != nullptr) driver->driver_version(&driver->version);
  if (driver->version < kOldestVersion || !missing.empty()) {
    Sentence old = sentence(
        "the NVIDIA driver is too old: it supports CUDA {version}, but CUDA {oldest} or newer is "
        "needed",
        {{"version", version_text(driver->version)}, {"oldest", version_text(kOldestVersion)}});
    if (!missing.empty()) old.then(sentence("(it has no {function})", {{"function", missing}}));
    return make_error("gpu-driver", std::move(old), sentence("install a newer NVIDIA driver"));
  }
  const Status ready = driver->check(driver->init(0), sentence("starting the driver"));
  if (!ready.ok()) return ready.errors();
  return std::shared_ptr<const Driver>(std::move(driver));
}

Status Driver::check(CuResult result, const Sentence& what) const {
  if (result == 0) return success();
  for (const DriverMeaning& meaning : driver_meanings()) {
    if (meaning.error == result) {
      return make_error(
          meaning.kind,
          sentence("{problem} ({doing})", {{"problem", meaning.text}, {"doing", what}}),
          meaning.help);
    }
  }
  const char* name = nullptr;
  const char* text = nullptr;
  error_name(result, &name);
  error_text(result, &text);
  return make_error(
      "gpu", sentence("{doing} failed: {error} ({code})",
                      {{"doing", what},
                       {"error", text != nullptr ? Sentence(text) : sentence("unknown error")},
                       {"code", name != nullptr ? name : std::to_string(result)}}));
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
