#include "gpu.h"

#include <algorithm>
#include <cstring>

#include "compile/kernel_name.h"
#include "helper_kernels.h"

namespace warpshop::device {
namespace {

constexpr int kOldestCapability = 75;  // the oldest that NVRTC 13.0 compiles for
constexpr unsigned kHelperBlock = 256;
constexpr uint64_t kPrintfBytes = 1 << 20;
constexpr uint64_t kDefaultDynamicShared = 48 << 10;  // larger sizes need opt-in
constexpr uint32_t kBusyRounds = 20'000;              // of about four cycles
constexpr uint64_t kLargestCopy = uint64_t{1} << 30;

// Architectures whose PTX a newer GPU's driver can compile, newest first.
constexpr int kPtxArchitectures[] = {121, 120, 110, 103, 100, 90, 89, 87, 86, 80, 75};

// Constructed once: it is used often, and between an event and the launch it times.
const Sentence& timing() {
  static const Sentence kTiming = sentence("timing");
  return kTiming;
}

std::string mib(uint64_t bytes) {
  if (bytes < (uint64_t{1} << 20)) return std::to_string((bytes + 1023) >> 10) + " KiB";
  return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
}

// The PTX entry that has this name in the PTX or in the source; the name itself if there is none.
std::string entry_named(const std::string& ptx, const std::string& name) {
  constexpr std::string_view kEntry = ".entry ";
  std::string found = name;
  for (size_t at = ptx.find(kEntry); at != std::string::npos; at = ptx.find(kEntry, at + 1)) {
    const size_t begin = at + kEntry.size();
    const std::string entry = ptx.substr(begin, ptx.find_first_of("( \t\n", begin) - begin);
    if (entry == name) return name;
    if (compile::is_called(compile::kernel_name(entry), name)) found = entry;
  }
  return found;
}

int attribute_of(const Driver& driver, CuDevice device, int attribute) {
  int value = 0;
  return driver.device_attribute(&value, attribute, device) == 0 ? value : 0;
}

}  // namespace

std::vector<GpuInfo> describe_gpus(const Driver& driver, const compile::Compiler* compiler) {
  std::vector<GpuInfo> out;
  int count = 0;
  if (driver.device_count(&count) != 0) return out;
  for (int i = 0; i < count; ++i) {
    CuDevice device = 0;
    if (driver.device(&device, i) != 0) continue;
    GpuInfo gpu;
    gpu.index = i;
    char text[256] = {};
    if (driver.device_name(text, sizeof text, device) == 0) gpu.name = text;
    if (driver.device_pci(text, sizeof text, device) == 0) gpu.pci = text;
    size_t bytes = 0;
    if (driver.device_memory(&bytes, device) == 0) gpu.memory_bytes = bytes;
    gpu.capability_major = attribute_of(driver, device, attribute::kMajor);
    gpu.capability_minor = attribute_of(driver, device, attribute::kMinor);
    gpu.sm_count = attribute_of(driver, device, attribute::kSmCount);
    gpu.l2_bytes = static_cast<uint64_t>(attribute_of(driver, device, attribute::kL2Bytes));
    gpu.clock_mhz = attribute_of(driver, device, attribute::kClockKhz) / 1000;
    gpu.memory_clock_mhz = attribute_of(driver, device, attribute::kMemoryClockKhz) / 1000;
    gpu.bus_width_bits = attribute_of(driver, device, attribute::kBusWidth);
    gpu.ecc = attribute_of(driver, device, attribute::kEcc) != 0;
    const std::string capability =
        std::to_string(gpu.capability_major) + "." + std::to_string(gpu.capability_minor);
    if (gpu.capability_major * 10 + gpu.capability_minor < kOldestCapability) {
      gpu.problems.push_back(make_error(
          "gpu-old",
          sentence("{gpu} has compute capability {capability}; kernels can be compiled for 7.5 "
                   "(Turing) and newer",
                   {{"gpu", gpu.name}, {"capability", capability}}),
          sentence(
              "use the emulator, which supports older GPUs as well: --device emulator --gpu ID")));
    } else if (compiler != nullptr &&
               driver.version / 1000 < std::atoi(compiler->version().c_str())) {
      gpu.problems.push_back(make_error(
          "gpu-driver",
          sentence("the driver supports CUDA {cuda}, which is older than the compiler, NVRTC "
                   "{nvrtc}: it may not load the compiler's kernels",
                   {{"cuda", std::to_string(driver.version / 1000) + "." +
                                 std::to_string(driver.version % 1000 / 10)},
                    {"nvrtc", compiler->version()}}),
          sentence("install a newer NVIDIA driver, or set WARPSHOP_CUDA to an older toolkit")));
    }
    if (attribute_of(driver, device, attribute::kComputeMode) == kComputeModeProhibited) {
      gpu.problems.push_back(make_error(
          "gpu-busy", sentence("{gpu} is configured not to run kernels", {{"gpu", gpu.name}}),
          sentence("nvidia-smi -c DEFAULT allows them")));
    }
    out.push_back(std::move(gpu));
  }
  return out;
}

Gpu::Gpu(std::shared_ptr<const Driver> driver, const compile::Compiler& compiler, GpuInfo info)
    : driver_(std::move(driver)), compiler_(compiler), info_(std::move(info)), clocks_(info_.pci) {}

Result<std::unique_ptr<Gpu>> Gpu::open(std::shared_ptr<const Driver> driver,
                                       const compile::Compiler& compiler, const GpuInfo& info) {
  if (!info.usable()) return info.problems;
  std::unique_ptr<Gpu> gpu(new Gpu(std::move(driver), compiler, info));  // NOLINT: private
  const Status ready = gpu->prepare();
  if (!ready.ok()) return ready.errors();
  return gpu;
}

Status Gpu::prepare() {
  const Sentence opening = sentence("opening {gpu}", {{"gpu", info_.name}});
  CuDevice device = 0;
  Status status = check(driver_->device(&device, info_.index), opening);
  if (status.ok()) status = check(driver_->retain_context(&context_, device), opening);
  if (status.ok()) status = check(driver_->set_context(context_), opening);
  if (!status.ok()) return status;
  driver_->set_limit(kPrintfBufferLimit, kPrintfBytes);

  // For a GPU newer than the compiler, compile to PTX of an older architecture; the driver
  // translates it.
  const int capability = info_.capability_major * 10 + info_.capability_minor;
  std::vector<std::string> candidates = {"sm_" + std::to_string(capability)};
  for (int older : kPtxArchitectures) {
    if (older < capability) candidates.push_back("compute_" + std::to_string(older));
  }
  compile::CompileInput input;
  input.source = kHelperSource;
  input.file_name = "worker.cu";
  input.prelude = false;
  Diagnostics errors;
  for (const std::string& candidate : candidates) {
    architecture_ = candidate;
    input.architecture = candidate;
    const Result<compile::CompileOutput> output = compiler_.compile(input);
    if (!output.ok()) {
      if (errors.empty()) errors = output.errors();
      continue;
    }
    const void* image = output->cubin.empty() ? static_cast<const void*>(output->ptx.c_str())
                                              : output->cubin.data();
    status = check(driver_->load_module(&helpers_, image, 0, nullptr, nullptr),
                   sentence("loading the worker's kernels"));
    if (!status.ok()) return status;
    errors.clear();
    break;
  }
  if (!errors.empty()) return errors;
  status = check(driver_->create_event(&begin_, 0), opening);
  if (status.ok()) status = check(driver_->create_event(&end_, 0), opening);
  return status;
}

Status Gpu::check(CuResult result, const Sentence& what) {
  lost_ = lost_ || is_sticky(result);
  return driver_->check(result, what);
}

Result<Kernel> Gpu::load(const KernelSource& source, Diagnostics& warnings) {
  std::vector<uint8_t> image;
  std::string entry = source.entry;
  if (source.is_ptx) {
    image.assign(source.source.begin(), source.source.end());
    image.push_back(0);
    entry = entry_named(source.source, source.entry);
  } else {
    compile::CompileInput input;
    input.source = source.source;
    input.file_name = source.file_name;
    input.architecture = architecture_;
    input.options = source.options;
    input.trailer = source.trailer;
    input.prelude = source.prelude;
    input.include_dirs = source.include_dirs;
    input.whole_program = source.whole_program;
    if (const std::string instance = compile::instance_of(source.entry);
        source.whole_program && !instance.empty())
      input.instances = {instance};
    Result<compile::CompileOutput> output = compiler_.compile(input);
    if (!output.ok()) return output.errors();
    warnings.insert(warnings.end(), output->warnings.begin(), output->warnings.end());
    entry = output->instances.empty() ? entry_named(output->ptx, source.entry)
                                      : output->instances.begin()->second;
    if (output->cubin.empty()) {
      image.assign(output->ptx.begin(), output->ptx.end());
      image.push_back(0);
    } else {
      image = std::move(output->cubin);
    }
  }
  CuModule module = nullptr;
  Status status = check(driver_->load_module(&module, image.data(), 0, nullptr, nullptr),
                        sentence("loading {file}", {{"file", source.file_name}}));
  if (!status.ok()) return status.errors();
  Kernel kernel(driver_.get(), module);
  status = check(driver_->module_function(&kernel.function, module, entry.c_str()),
                 sentence("finding the kernel {kernel}", {{"kernel", source.entry}}));
  if (!status.ok()) return status.errors();

  const auto figure = [&](int attribute) {
    int value = 0;
    driver_->function_attribute(&value, attribute, kernel.function);
    return value;
  };
  kernel.figures.registers = figure(function_attribute::kRegisters);
  kernel.figures.static_shared_bytes =
      static_cast<uint32_t>(figure(function_attribute::kSharedBytes));
  kernel.figures.local_bytes = static_cast<uint32_t>(figure(function_attribute::kLocalBytes));
  kernel.figures.max_threads_per_block = figure(function_attribute::kMaxThreads);
  kernel.launch = {source.grid, source.block, source.dynamic_shared_bytes, source.cooperative};

  const uint64_t threads = uint64_t{source.block.x} * source.block.y * source.block.z;
  if (threads > static_cast<uint64_t>(kernel.figures.max_threads_per_block)) {
    return make_error_at(
        {source.file_name}, "gpu-launch",
        sentence("a block of {threads} threads is too large: this kernel can have {most} on {gpu}",
                 {{"threads", threads},
                  {"most", kernel.figures.max_threads_per_block},
                  {"gpu", info_.name}}));
  }
  if (source.dynamic_shared_bytes > 0 &&
      source.dynamic_shared_bytes + kernel.figures.static_shared_bytes > kDefaultDynamicShared) {
    const CuResult set = driver_->set_function_attribute(
        kernel.function, function_attribute::kMaxDynamicShared,
        static_cast<int>(std::min<uint32_t>(source.dynamic_shared_bytes, INT32_MAX)));
    if (set != 0) {
      return make_error_at({source.file_name}, "gpu-launch",
                           sentence("a block requests {bytes} bytes of dynamic shared memory, more "
                                    "than {gpu} allows per block",
                                    {{"bytes", source.dynamic_shared_bytes}, {"gpu", info_.name}}));
    }
  }
  driver_->blocks_per_sm(&kernel.figures.blocks_per_sm, kernel.function, static_cast<int>(threads),
                         source.dynamic_shared_bytes);
  const uint64_t blocks = uint64_t{source.grid.x} * source.grid.y * source.grid.z;
  const uint64_t most = static_cast<uint64_t>(std::max(kernel.figures.blocks_per_sm, 0)) *
                        static_cast<uint64_t>(std::max(info_.sm_count, 0));
  if (source.cooperative && blocks > most) {
    return make_error_at(
        {source.file_name}, "gpu-launch",
        sentence(
            "a cooperative launch needs all {blocks} blocks on {gpu} at the same time; {most} fit",
            {{"blocks", blocks}, {"gpu", info_.name}, {"most", most}}));
  }
  return kernel;
}

Status Gpu::start(const Kernel& kernel, std::vector<void*>& arguments) {
  static const Sentence kLaunching = sentence("launching the kernel");
  const Kernel::Launch& l = kernel.launch;
  if (l.cooperative) {
    return check(driver_->launch_cooperative(kernel.function, l.grid.x, l.grid.y, l.grid.z,
                                             l.block.x, l.block.y, l.block.z,
                                             l.dynamic_shared_bytes, nullptr, arguments.data()),
                 kLaunching);
  }
  return check(
      driver_->launch(kernel.function, l.grid.x, l.grid.y, l.grid.z, l.block.x, l.block.y,
                      l.block.z, l.dynamic_shared_bytes, nullptr, arguments.data(), nullptr),
      kLaunching);
}

Status Gpu::wait(const Sentence& what) { return check(driver_->synchronize(), what); }

Result<DeviceBytes> Gpu::allocate(uint64_t size, const Sentence& what) {
  CuPointer at = 0;
  const Status status =
      check(driver_->allocate(&at, std::max<uint64_t>(size, 1)),
            sentence("allocating {size} for {what}; {free} available",
                     {{"size", mib(size)}, {"what", what}, {"free", mib(free_bytes())}}));
  if (!status.ok()) return status.errors();
  return DeviceBytes(driver_.get(), at, size);
}

uint64_t Gpu::free_bytes() const {
  size_t free = 0;
  size_t total = 0;
  return driver_->memory_info(&free, &total) == 0 ? free : 0;
}

Status Gpu::upload(CuPointer to, const void* from, uint64_t size) {
  return size == 0 ? success()
                   : check(driver_->upload(to, from, size), sentence("copying to the GPU"));
}

Status Gpu::download(void* to, CuPointer from, uint64_t size) {
  return size == 0 ? success()
                   : check(driver_->download(to, from, size), sentence("copying from the GPU"));
}

Status Gpu::copy(CuPointer to, CuPointer from, uint64_t size) {
  return size == 0 ? success()
                   : check(driver_->copy(to, from, size, nullptr), sentence("copying on the GPU"));
}

Status Gpu::set_bytes(CuPointer to, unsigned char value, uint64_t size) {
  return size == 0
             ? success()
             : check(driver_->set_bytes(to, value, size, nullptr), sentence("filling on the GPU"));
}

Result<CuFunction> Gpu::helper(const std::string& name) {
  CuFunction function = nullptr;
  const Status status = check(driver_->module_function(&function, helpers_, name.c_str()),
                              sentence("finding {name}", {{"name", name}}));
  if (!status.ok()) return status.errors();
  return function;
}

Status Gpu::run_helper(const std::string& name, uint64_t threads, bool wide,
                       std::vector<void*> arguments) {
  const Result<CuFunction> function = helper(name);
  if (!function.ok()) return function.errors();
  uint64_t blocks = std::max<uint64_t>((threads + kHelperBlock - 1) / kHelperBlock, 1);
  if (wide)
    blocks = std::min<uint64_t>(blocks, static_cast<uint64_t>(std::max(info_.sm_count, 1)) * 8);
  return check(driver_->launch(*function, static_cast<unsigned>(blocks), 1, 1, kHelperBlock, 1, 1,
                               0, nullptr, arguments.data(), nullptr),
               sentence("running {name}", {{"name", name}}));
}

Result<CuPointer> Gpu::sink() {
  if (sink_.size() == 0) {
    Result<DeviceBytes> sink = allocate(4, sentence("the worker"));
    if (!sink.ok()) return sink.errors();
    sink_ = std::move(*sink);
  }
  return sink_.at();
}

Status Gpu::keep_busy() {
  Result<CuPointer> at = sink();
  if (!at.ok()) return at.errors();
  uint32_t rounds = kBusyRounds;
  return run_helper("warpshop_busy", 1, false, {&rounds, &*at});
}

Status Gpu::sweep_l2() {
  if (sweep_.size() == 0) {
    const uint64_t size = std::max<uint64_t>(2 * info_.l2_bytes, uint64_t{8} << 20);
    Result<DeviceBytes> bytes = allocate(size, sentence("flushing L2"));
    if (!bytes.ok()) return bytes.errors();
    sweep_ = std::move(*bytes);
    const Status filled = set_bytes(sweep_.at(), 1, size);
    if (!filled.ok()) return filled;
  }
  Result<CuPointer> at = sink();
  if (!at.ok()) return at.errors();
  CuPointer data = sweep_.at();
  uint64_t count = sweep_.size() / 16;
  return run_helper("warpshop_sweep", count, true, {&data, &count, &*at});
}

Result<double> Gpu::elapsed_us() {
  float ms = 0;
  Status status = check(driver_->record_event(end_, nullptr), timing());
  if (status.ok()) status = check(driver_->wait_event(end_), sentence("running the kernel"));
  if (status.ok()) status = check(driver_->elapsed_ms(&ms, begin_, end_), timing());
  if (!status.ok()) return status.errors();
  return static_cast<double>(ms) * 1000;
}

Result<double> Gpu::timed(const Kernel& kernel, std::vector<void*>& arguments) {
  Status status = check(driver_->record_event(begin_, nullptr), timing());
  if (status.ok()) status = start(kernel, arguments);
  if (!status.ok()) return status.errors();
  return elapsed_us();
}

Result<double> Gpu::timed_empty() {
  const Result<CuFunction> function = helper("warpshop_empty");
  if (!function.ok()) return function.errors();
  Status status = check(driver_->record_event(begin_, nullptr), timing());
  if (status.ok()) {
    status = check(driver_->launch(*function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr),
                   timing());
  }
  if (!status.ok()) return status.errors();
  return elapsed_us();
}

Result<double> Gpu::copy_ceiling_gb_s() {
  if (ceiling_) return *ceiling_;
  const uint64_t size = std::min(kLargestCopy, free_bytes() / 8) / 4096 * 4096;
  Result<DeviceBytes> from = allocate(size, sentence("the copy ceiling"));
  if (!from.ok()) return from.errors();
  Result<DeviceBytes> to = allocate(size, sentence("the copy ceiling"));
  if (!to.ok()) return to.errors();
  Status status = set_bytes(from->at(), 1, size);
  double best_us = 0;
  CuPointer from_at = from->at();
  CuPointer to_at = to->at();
  uint64_t count = size / 16;
  // Measures the driver's copy and our own six times each; the first of each is a warm-up.
  for (int i = 0; i < 12 && status.ok(); ++i) {
    status = check(driver_->record_event(begin_, nullptr), sentence("timing a copy"));
    if (!status.ok()) break;
    status = i % 2 == 0 ? copy(to_at, from_at, size)
                        : run_helper("warpshop_copy", count, false, {&from_at, &to_at, &count});
    if (!status.ok()) break;
    const Result<double> us = elapsed_us();
    if (!us.ok()) return us.errors();
    if (i >= 2 && (best_us == 0 || *us < best_us)) best_us = *us;
  }
  if (!status.ok()) return status.errors();
  ceiling_ = best_us > 0 ? 2e-3 * static_cast<double>(size) / best_us : 0;
  return *ceiling_;
}

Result<double> Gpu::read_ceiling_gb_s(uint64_t bytes) {
  Result<DeviceBytes> from = allocate(bytes / 4096 * 4096, sentence("the read ceiling"));
  if (!from.ok()) return from.errors();
  Result<CuPointer> at = sink();
  if (!at.ok()) return at.errors();
  Status status = set_bytes(from->at(), 1, from->size());
  double best_us = 0;
  CuPointer data = from->at();
  uint64_t count = from->size() / 16;
  // Measures a grid-stride read and one with a thread per 16 bytes, six times each; the first of
  // each is a warm-up.
  for (int i = 0; i < 12 && status.ok(); ++i) {
    status = check(driver_->record_event(begin_, nullptr), sentence("timing a read"));
    if (status.ok())
      status = run_helper("warpshop_sweep", count, i % 2 == 0, {&data, &count, &*at});
    if (!status.ok()) break;
    const Result<double> us = elapsed_us();
    if (!us.ok()) return us.errors();
    if (i >= 2 && (best_us == 0 || *us < best_us)) best_us = *us;
  }
  if (!status.ok()) return status.errors();
  return best_us > 0 ? 1e-3 * static_cast<double>(from->size()) / best_us : 0;
}

}  // namespace warpshop::device
