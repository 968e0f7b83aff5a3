#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnostic.h"
#include "emulator/launch.h"
#include "emulator/replay.h"
#include "emulator/texture_memory.h"
#include "launch_small.h"
#include "ptx/parser.h"

// Start and end of the compiler's coverage counters; null if compiled without coverage. Defined by
// the linker: https://clang.llvm.org/docs/SanitizerCoverage.html, "Inline 8bit-counters".
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern uint8_t __start___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern uint8_t __stop___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace warpshop::fuzz {
namespace {

using namespace emulator;

void forget_ways_taken() {
  uint8_t* const begin = __start___sancov_cntrs;
  if (begin != nullptr) std::memset(begin, 0, static_cast<size_t>(__stop___sancov_cntrs - begin));
}

// Reads everything that a sink may read.
class ReadingSink final : public AccessSink {
 public:
  void on_access(const WarpIdentity& warp, const AccessSite& site,
                 const WarpAccess& access) override {
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

// Small enough for thousands of launches per second, large enough for whole warps.
constexpr uint64_t kBufferBytes = 1024;
constexpr uint64_t kBudget = 50'000;
constexpr size_t kMostKernels = 4;
constexpr size_t kMostParamBytes = 4096;

// The memory and objects of a launch.
struct World {
  DeviceMemory memory{1 << 20};
  TextureMemory textures;
  LaunchConfig config;
  std::vector<DevicePointer> buffers;
  bool possible = true;

  World(const Program& program, const SmallLaunch& shape) {
    config = {.grid = shape.grid,
              .block = shape.block,
              .dynamic_shared_bytes = shape.dynamic_shared_bytes,
              .args = {}};
    config.textures = &textures;
    const uint64_t handles[] = {texture(), surface()};
    for (size_t n = 0; n < program.params().size(); ++n) {
      const Program::Param& param = program.params()[n];
      possible = possible && param.size_bytes <= kMostParamBytes;
      if (!possible) return;
      Argument argument;
      argument.bytes.assign(param.size_bytes, 0);
      if (param.size_bytes == 8 && n < 6) {
        const uint64_t value = n < 4 ? buffer(n) : handles[n - 4];
        std::memcpy(argument.bytes.data(), &value, 8);
      } else if (param.size_bytes > 0) {
        argument.bytes[0] = 7;
      }
      config.args.push_back(std::move(argument));
    }
  }

  uint64_t buffer(size_t n) {
    const DevicePointer p = *memory.allocate(kBufferBytes, "buffer");
    std::span<uint8_t> bytes = memory.bytes(p);
    for (size_t b = 0; b < bytes.size(); ++b) bytes[b] = static_cast<uint8_t>(b * 37 + n);
    if (n % 2 == 0) memory.mark_written(p);
    buffers.push_back(p);
    return p;
  }
  uint64_t texture() {
    const int array = *textures.allocate_array(
        {.format = TexelFormat::kF32, .channels = 4, .width = 8, .height = 4}, "texture");
    std::span<uint8_t> bytes = textures.bytes(array);
    for (size_t b = 0; b < bytes.size(); ++b) bytes[b] = static_cast<uint8_t>(b * 61);
    return *textures.make_texture(
        array, {.filter = TextureFilter::kLinear, .normalized_coordinates = true});
  }
  uint64_t surface() {
    return *textures.make_surface(*textures.allocate_array(
        {.format = TexelFormat::kU8, .channels = 4, .width = 16, .height = 4}, "surface"));
  }
};

LaunchOptions options_of(const SmallLaunch& shape) {
  LaunchOptions options;
  options.threads = shape.threads;
  options.instruction_budget = kBudget;
  options.order_seed = shape.order_seed;
  options.limits.max_shared_bytes = 16 * 1024;
  options.limits.max_local_bytes = 64 * 1024;
  options.limits.heap_bytes = 64 * 1024;
  options.limits.independent_threads = shape.independent_threads;
  return options;
}

void same_memory(const World& one, const World& other) {
  for (size_t n = 0; n < one.buffers.size(); ++n) {
    const std::span<const uint8_t> a = one.memory.bytes(one.buffers[n]);
    const std::span<const uint8_t> b = other.memory.bytes(other.buffers[n]);
    if (std::equal(a.begin(), a.end(), b.begin(), b.end())) continue;
    std::fprintf(stderr, "buffer %zu differs when nobody looks\n", n);
    std::abort();
  }
}

void launch_again(const Program& program, const SmallLaunch& shape, const World& first) {
  World world(program, shape);
  LaunchOptions options = options_of(shape);
  options.watch_global_races = false;
  const Result<LaunchResult> result = launch(program, world.memory, world.config, options);
  if (result && result->completed) same_memory(first, world);
}

void play(const Program& program, const SmallLaunch& shape) {
  World world(program, shape);
  ReplayOptions options;
  options.limits = options_of(shape).limits;
  options.warp = static_cast<uint32_t>(shape.replay_warp);
  options.instruction_budget = kBudget / 4;
  options.max_steps = 4096;
  options.checkpoint_bytes = 1 << 18;
  Result<Replay> replay =
      Replay::open(program, std::move(world.memory), std::move(world.config), options);
  if (!replay) {
    (void)render(replay.errors());
    return;
  }
  const uint64_t steps = replay->steps().size();
  for (const uint64_t part : {3u, 1u, 4u, 0u, 2u}) {
    if (steps > 0) (void)replay->at(part * (steps - 1) / 4);
  }
}

void launch_kernel(const std::shared_ptr<const ptx::Module>& module, const ptx::Function& kernel,
                   const SmallLaunch& shape, bool timed) {
  const Result<Program> program = Program::decode(module, kernel.name);
  if (!program) {
    (void)render(program.errors());
    return;
  }
  World world(*program, shape);
  if (!world.possible) return;
  ReadingSinks sinks;
  LaunchOptions options = options_of(shape);
  options.accesses = &sinks;
  const Result<LaunchResult> result = launch(*program, world.memory, world.config, options);
  if (!result) {
    (void)render(result.errors());
    return;
  }
  if (shape.compare && shape.threads == 1 && result->completed && !timed)
    launch_again(*program, shape, world);
  if (shape.replay_warp >= 0) play(*program, shape);
}

}  // namespace

void launch_small(std::string_view text, const SmallLaunch& shape) {
  ptx::ParseOutput parsed = ptx::parse(text, "fuzz.ptx");
  auto module = std::make_shared<ptx::Module>(std::move(parsed.module));
  if (!shape.parsing_counts) forget_ways_taken();
  const bool timed = text.find("timer") != std::string_view::npos;
  size_t launched = 0;
  for (const ptx::Function& function : module->functions) {
    if (!function.is_entry || ++launched > kMostKernels) continue;
    launch_kernel(module, function, shape, timed);
  }
}

}  // namespace warpshop::fuzz
