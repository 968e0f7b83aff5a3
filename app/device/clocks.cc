#include "clocks.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>

namespace warpshop::device {
namespace {

using NvmlDevice = struct NvmlDeviceState*;
using NvmlResult = int;  // 0 is NVML_SUCCESS

// nvml.h: NVML_CLOCK_SM, NVML_CLOCK_MEM, NVML_TEMPERATURE_GPU.
constexpr int kSmClock = 1;
constexpr int kMemoryClock = 2;
constexpr int kGpuTemperature = 0;

// nvml.h, "nvmlClocksEventReason…". Idle and application clocks do not count as throttling.
struct Reason {
  uint64_t bit;
  const char* text;
};
constexpr Reason kReasons[] = {
    {0x4, "power cap"},         {0x8, "hardware slowdown"},
    {0x20, "thermal slowdown"}, {0x40, "thermal slowdown (hardware)"},
    {0x80, "power brake"},      {0x100, "display clocks"},
};

// The initialised library, or nullptr if it is missing. The caller shuts it down.
void* open_nvml() {
  const char* own = std::getenv("WARPSHOP_LIBNVML");
  void* handle = ::dlopen(own != nullptr ? own : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return nullptr;
  auto init = reinterpret_cast<NvmlResult (*)()>(::dlsym(handle, "nvmlInit_v2"));  // NOLINT
  return init != nullptr && init() == 0 ? handle : nullptr;
}

}  // namespace

struct Clocks::Library {
  void* handle = nullptr;
  NvmlDevice device = nullptr;
  NvmlResult (*shut_down)() = nullptr;
  NvmlResult (*clock)(NvmlDevice, int, unsigned*) = nullptr;
  NvmlResult (*temperature)(NvmlDevice, int, unsigned*) = nullptr;
  NvmlResult (*reasons)(NvmlDevice, unsigned long long*) = nullptr;

  template <typename Function>
  void find(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(::dlsym(handle, name));  // NOLINT: how dlsym is used
  }
};

Clocks::Clocks(const std::string& pci) {
  void* handle = open_nvml();
  if (handle == nullptr) return;
  auto library = std::make_unique<Library>();
  library->handle = handle;
  NvmlResult (*by_pci)(const char*, NvmlDevice*) = nullptr;
  library->find(by_pci, "nvmlDeviceGetHandleByPciBusId_v2");
  library->find(library->shut_down, "nvmlShutdown");
  library->find(library->clock, "nvmlDeviceGetClockInfo");
  library->find(library->temperature, "nvmlDeviceGetTemperature");
  library->find(library->reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  if (by_pci == nullptr || by_pci(pci.c_str(), &library->device) != 0) library->device = nullptr;
  library_ = std::move(library);
}

Clocks::~Clocks() {
  if (library_ != nullptr && library_->shut_down != nullptr) library_->shut_down();
}

ClockReading Clocks::read() const {
  ClockReading out;
  if (library_ == nullptr || library_->device == nullptr) return out;
  unsigned value = 0;
  if (library_->clock != nullptr) {
    if (library_->clock(library_->device, kSmClock, &value) == 0) {
      out.clock_mhz = static_cast<int>(value);
    }
    if (library_->clock(library_->device, kMemoryClock, &value) == 0) {
      out.memory_clock_mhz = static_cast<int>(value);
    }
  }
  if (library_->temperature != nullptr &&
      library_->temperature(library_->device, kGpuTemperature, &value) == 0) {
    out.temperature_c = static_cast<int>(value);
  }
  unsigned long long bits = 0;
  if (library_->reasons != nullptr && library_->reasons(library_->device, &bits) == 0) {
    for (const Reason& reason : kReasons) {
      if ((bits & reason.bit) != 0) out.throttled.emplace_back(reason.text);
    }
  }
  return out;
}

std::string driver_version() {
  void* handle = open_nvml();
  if (handle == nullptr) return {};
  using Version = NvmlResult (*)(char*, unsigned);
  auto version =
      reinterpret_cast<Version>(::dlsym(handle, "nvmlSystemGetDriverVersion"));          // NOLINT
  auto shut_down = reinterpret_cast<NvmlResult (*)()>(::dlsym(handle, "nvmlShutdown"));  // NOLINT
  char text[80] = {};  // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
  const bool known = version != nullptr && version(text, sizeof text) == 0;
  if (shut_down != nullptr) shut_down();
  return known ? text : "";
}

}  // namespace warpshop::device
