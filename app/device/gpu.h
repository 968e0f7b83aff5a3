// An open GPU: its context, memory, modules and the worker's own kernels.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clocks.h"
#include "compile/compiler.h"
#include "core/result.h"
#include "device/protocol.h"
#include "driver.h"

namespace warpshop::device {

// All GPUs of the machine; unusable ones include the reason. `compiler` may be null.
std::vector<GpuInfo> describe_gpus(const Driver& driver, const compile::Compiler* compiler);

class Gpu;

// Device memory, freed on destruction.
class DeviceBytes {
 public:
  DeviceBytes() = default;
  DeviceBytes(const Driver* driver, CuPointer at, uint64_t size)
      : driver_(driver), at_(at), size_(size) {}
  DeviceBytes(DeviceBytes&& other) noexcept { *this = std::move(other); }
  DeviceBytes& operator=(DeviceBytes&& other) noexcept {
    if (this == &other) return *this;
    release();
    driver_ = std::exchange(other.driver_, nullptr);
    at_ = std::exchange(other.at_, 0);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~DeviceBytes() { release(); }
  CuPointer at() const { return at_; }
  uint64_t size() const { return size_; }

 private:
  void release() {
    if (driver_ != nullptr && at_ != 0) driver_->release(at_);
    driver_ = nullptr;
  }
  const Driver* driver_ = nullptr;
  CuPointer at_ = 0;
  uint64_t size_ = 0;
};

// A compiled kernel on the GPU.
class Kernel {
 public:
  Kernel() = default;
  Kernel(const Driver* driver, CuModule module) : driver_(driver), module_(module) {}
  Kernel(Kernel&& other) noexcept { *this = std::move(other); }
  Kernel& operator=(Kernel&& other) noexcept {
    if (this == &other) return *this;
    unload();
    driver_ = std::exchange(other.driver_, nullptr);
    module_ = std::exchange(other.module_, nullptr);
    function = std::exchange(other.function, nullptr);
    launch = other.launch;
    figures = other.figures;
    return *this;
  }
  ~Kernel() { unload(); }

  CuFunction function = nullptr;
  struct Launch {
    Dim3 grid;
    Dim3 block;
    uint32_t dynamic_shared_bytes = 0;
    bool cooperative = false;
  } launch;
  KernelFigures figures;

 private:
  void unload() {
    if (driver_ != nullptr && module_ != nullptr) driver_->unload_module(module_);
    driver_ = nullptr;
  }
  const Driver* driver_ = nullptr;
  CuModule module_ = nullptr;
};

class Gpu {
 public:
  // Error: the GPU cannot be opened; kinds include "gpu-busy".
  static Result<std::unique_ptr<Gpu>> open(std::shared_ptr<const Driver> driver,
                                           const compile::Compiler& compiler, const GpuInfo& info);

  const GpuInfo& info() const { return info_; }
  const Driver& driver() const { return *driver_; }
  CuContext context() const { return context_; }
  std::string compiler_path() const { return compiler_.library_path(); }

  // Compiles for this GPU and looks up the entry. Errors: from the compiler and the driver.
  Result<Kernel> load(const KernelSource& source, Diagnostics& warnings);
  // Launches a kernel; arguments are pointers to their bytes.
  Status start(const Kernel& kernel, std::vector<void*>& arguments);
  Status wait(const Sentence& what);

  Result<DeviceBytes> allocate(uint64_t size, const Sentence& what);
  uint64_t free_bytes() const;
  Status upload(CuPointer to, const void* from, uint64_t size);
  Status download(void* to, CuPointer from, uint64_t size);
  Status copy(CuPointer to, CuPointer from, uint64_t size);
  Status set_bytes(CuPointer to, unsigned char value, uint64_t size);

  // Runs a kernel of helper_kernels.h on `threads` threads, 256 per block. `wide` allows a thread
  // to take several elements, which keeps the grid small.
  Status run_helper(const std::string& name, uint64_t threads, bool wide,
                    std::vector<void*> arguments);

  // Flushes L2 by reading more than it holds.
  Status sweep_l2();
  // Launches a kernel that runs for about 40 µs and touches no memory.
  Status keep_busy();
  // Times one launch with events, in microseconds. Waits for it to finish.
  Result<double> timed(const Kernel& kernel, std::vector<void*>& arguments);
  Result<double> timed_empty();
  // The best copy, counting bytes read and written; measured once.
  Result<double> copy_ceiling_gb_s();
  // The best dense read of this many bytes.
  Result<double> read_ceiling_gb_s(uint64_t bytes);
  ClockReading clocks() const { return clocks_.read(); }

  // True after a fault: the context is gone, so this process can do nothing more.
  bool lost() const { return lost_; }
  Status check(CuResult result, const Sentence& what);

 private:
  Gpu(std::shared_ptr<const Driver> driver, const compile::Compiler& compiler, GpuInfo info);
  Status prepare();
  Result<CuPointer> sink();
  Result<CuFunction> helper(const std::string& name);
  Result<double> elapsed_us();

  std::shared_ptr<const Driver> driver_;
  const compile::Compiler& compiler_;
  GpuInfo info_;
  Clocks clocks_;
  std::string architecture_;  // known to the compiler: "sm_90", or the newest "compute_NN" below
  CuContext context_ = nullptr;
  CuModule helpers_ = nullptr;
  CuEvent begin_ = nullptr;
  CuEvent end_ = nullptr;
  DeviceBytes sweep_;
  DeviceBytes sink_;  // four bytes that helpers appear to write to
  std::optional<double> ceiling_;
  bool lost_ = false;
};

}  // namespace warpshop::device
