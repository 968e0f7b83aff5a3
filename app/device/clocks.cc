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

// nvml.h, "nvmlClocksEventReason…". Idle and application clocks are no throttling.
struct Reason {
  uint64_t bit;
  const char* text;
};
constexpr Reason kReasons[] = {
    {0x4, "power cap"},         {0x8, "hardware slowdown"},
    {0x20, "thermal slowdown"}, {0x40, "thermal slowdown (hardware)"},
    {0x80, "power brake"},      {0x100, "display clocks"},
};

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
  const char* own = std::getenv("WARPSHOP_LIBNVML");
  void* handle = ::dlopen(own != nullptr ? own : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return;
  auto library = std::make_unique<Library>();
  library->handle = handle;
  NvmlResult (*init)() = nullptr;
  NvmlResult (*by_pci)(const char*, NvmlDevice*) = nullptr;
  library->find(init, "nvmlInit_v2");
  library->find(by_pci, "nvmlDeviceGetHandleByPciBusId_v2");
  library->find(library->shut_down, "nvmlShutdown");
  library->find(library->clock, "nvmlDeviceGetClockInfo");
  library->find(library->temperature, "nvmlDeviceGetTemperature");
  library->find(library->reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  if (init == nullptr || by_pci == nullptr || init() != 0) return;
  if (by_pci(pci.c_str(), &library->device) != 0) library->device = nullptr;
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

}  // namespace warpshop::device
