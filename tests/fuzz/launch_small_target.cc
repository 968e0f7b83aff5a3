#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "core/diagnostic.h"
#include "emulator/launch.h"
#include "launch_small.h"
#include "ptx/parser.h"

namespace warpshop::fuzz {
namespace {

using namespace emulator;

// Looks at all that a sink may look at.
class ReadingSink final : public AccessSink {
 public:
  void on_access(const WarpIdentity& warp, const AccessSite& site, const WarpAccess& access) override {
    sum_ += warp.linear_block + warp.warp + site.text.size() + access.site;
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((access.active_mask >> lane) & 1u) sum_ += access.address[lane];
    }
  }

 private:
  uint64_t sum_ = 0;
};

class ReadingSinks final : public AccessSinkFactory {
 public:
  AccessSink* make_sink(const std::vector<AccessSite>&, int) override {
    return sinks_.emplace_back(std::make_unique<ReadingSink>()).get();
  }

 private:
  std::vector<std::unique_ptr<ReadingSink>> sinks_;
};

// Small enough for thousands of launches a second, large enough for whole warps to work in.
constexpr uint64_t kBufferBytes = 1024;
constexpr uint64_t kBudget = 400'000;
constexpr size_t kMostKernels = 4;

void launch_kernel(const std::shared_ptr<const ptx::Module>& module, const ptx::Function& kernel,
                   const SmallLaunch& shape) {
  const Result<Program> program = Program::decode(module, kernel.name);
  if (!program) {
    (void)render(program.errors());
    return;
  }
  DeviceMemory memory(1 << 20);
  LaunchConfig config{.grid = shape.grid, .block = shape.block, .dynamic_shared_bytes = shape.dynamic_shared_bytes,
                      .args = {}};
  for (size_t n = 0; n < program->params().size(); ++n) {
    const Program::Param& param = program->params()[n];
    if (param.size_bytes > 4096) return;
    Argument argument;
    argument.bytes.assign(param.size_bytes, 0);
    if (param.size_bytes == 8 && n < 4) {
      const Result<DevicePointer> buffer = memory.allocate(kBufferBytes, "buffer");
      std::span<uint8_t> bytes = memory.bytes(*buffer);
      for (size_t b = 0; b < bytes.size(); ++b) bytes[b] = static_cast<uint8_t>(b * 37 + n);
      if (n % 2 == 0) memory.mark_written(*buffer);
      std::memcpy(argument.bytes.data(), &*buffer, 8);
    } else {
      for (size_t b = 0; b < argument.bytes.size(); ++b) argument.bytes[b] = static_cast<uint8_t>(b == 0 ? 7 : 0);
    }
    config.args.push_back(std::move(argument));
  }
  ReadingSinks sinks;
  LaunchOptions options;
  options.threads = shape.threads;
  options.instruction_budget = kBudget;
  options.accesses = &sinks;
  options.limits.max_shared_bytes = 16 * 1024;
  options.limits.max_local_bytes = 64 * 1024;
  options.limits.independent_threads = shape.independent_threads;
  const Result<LaunchResult> result = launch(*program, memory, config, options);
  if (!result) (void)render(result.errors());
}

}  // namespace

void launch_small(std::string_view text, const SmallLaunch& shape) {
  ptx::ParseOutput parsed = ptx::parse(text, "fuzz.ptx");
  auto module = std::make_shared<ptx::Module>(std::move(parsed.module));
  size_t launched = 0;
  for (const ptx::Function& function : module->functions) {
    if (!function.is_entry || ++launched > kMostKernels) continue;
    launch_kernel(module, function, shape);
  }
}

}  // namespace warpshop::fuzz
