// Prepares a launch: checks it, maps its memory and sizes what its emulation threads need.
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include "core/dim3.h"
#include "memory/kernel_bytes.h"
#include "run/block_run.h"
#include "run/launch_limits.h"
#include "shadows/block_shadow.h"
#include "shadows/global_shadow.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"
#include "texture/sampler.h"
#include "texture/texture_races.h"

namespace warpshop::emulator {
namespace {

// Time slice of a warp in basic blocks: tens of microseconds, so that a stop takes effect soon and
// a warp that waits for another in a loop lets it run. With a small budget of thread instructions,
// a slice (at four instructions per block) takes at most a sixteenth of it, so that its end is
// noticed soon as well.
constexpr int kSlice = 4096;
constexpr int kLeastSlice = 64;
int slice_for(uint64_t budget) {
  return static_cast<int>(std::clamp<uint64_t>(budget / (16 * 4 * kWarpSize), kLeastSlice, kSlice));
}

void build_regions(Launch& launch, DeviceMemory& memory) {
  const DecodedProgram& program = *launch.program;
  launch.globals = program.global_image;
  let_kernels_race(launch.globals.data(), launch.globals.size());
  for (const DecodedProgram::GlobalVariable& v : program.global_variables) {
    launch.regions.push_back({.base = kModuleGlobals + v.offset,
                              .size_bytes = v.size_bytes,
                              .data = launch.globals.data() + v.offset,
                              .name = v.name.c_str()});
  }
  for (const DeviceMemory::Allocation& a : memory.allocations()) {
    let_kernels_race(a.data, a.size_bytes);
    let_kernels_race(a.written, a.size_bytes);
    launch.regions.push_back({.base = a.base,
                              .size_bytes = a.size_bytes,
                              .data = a.data,
                              .written = a.written,
                              .name = a.name.c_str(),
                              .element_bytes = a.element_bytes});
  }
  if (launch.config->cooperative) {
    launch.regions.push_back({.base = kGridWorkspace,
                              .size_bytes = sizeof launch.grid_workspace,
                              .data = reinterpret_cast<uint8_t*>(launch.grid_workspace.data()),
                              .name = "the grid's barrier"});
  }
  std::sort(launch.regions.begin(), launch.regions.end(),
            [](const Region& a, const Region& b) { return a.base < b.base; });
}

// Finds the buffer behind each site's pointer: of the parameters that contributed to the address,
// the one that points to a buffer; the others are lengths and strides. If two of them do, as where
// a kernel swaps its buffers, it remains unknown.
void find_base_regions(Launch& launch) {
  const DecodedProgram& program = *launch.program;
  launch.base_of_site.assign(program.sites.size(), nullptr);
  for (size_t s = 0; s < program.sites.size(); ++s) {
    const Region*& base = launch.base_of_site[s];
    bool several = false;
    for (uint64_t rest = program.site_bases[s].params; rest != 0; rest &= rest - 1) {
      uint64_t pointer = 0;
      std::memcpy(&pointer,
                  launch.params.data() +
                      program.params[static_cast<size_t>(std::countr_zero(rest))].offset_bytes,
                  8);
      const Region* region = launch.find(pointer, 1);
      if (region == nullptr) continue;
      several = several || (base != nullptr && base != region);
      base = region;
    }
    if (several) base = nullptr;
  }
}

// tid.x, tid.y, tid.z of every warp of a block.
std::vector<uint8_t> thread_indices(const Dim3& block, uint32_t warps) {
  std::vector<uint8_t> out(size_t{384} * warps);
  for (uint32_t w = 0; w < warps; ++w) {
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const Dim3 thread = index_in(block, w * kWarpSize + lane);
      const uint32_t index[3] = {thread.x, thread.y, thread.z};
      for (int axis = 0; axis < 3; ++axis)
        std::memcpy(out.data() + 384 * w + 128 * axis + 4 * lane, &index[axis], 4);
    }
  }
  return out;
}

}  // namespace

Status prepare_launch(Launch& launch, const Program& program, DeviceMemory& memory,
                      const LaunchConfig& config, const LaunchOptions& options) {
  const DecodedProgram& decoded = program.decoded();
  Diagnostics refused = check_config(decoded, config, options.limits);
  if (!refused.empty()) return refused;
  launch.program = &decoded;
  launch.config = &config;
  launch.options = &options;
  launch.params.resize(decoded.param_bytes + 16);
  for (size_t n = 0; n < config.args.size(); ++n) {
    std::copy(config.args[n].bytes.begin(), config.args[n].bytes.end(),
              launch.params.begin() + static_cast<ptrdiff_t>(decoded.params[n].offset_bytes));
  }
  build_regions(launch, memory);
  find_base_regions(launch);
  if (decoded.uses_heap) launch.heap.emplace(options.limits.heap_bytes);
  if (config.textures != nullptr) launch.textures = bind_textures(*config.textures, memory);
  if (decoded.writes_surfaces) texture::watch_arrays(launch.textures);
  launch.shared_bytes = config.dynamic_shared_bytes > 0
                            ? decoded.dynamic_shared_base + config.dynamic_shared_bytes
                            : decoded.static_shared_bytes;
  launch.reserved_shared_at = (launch.shared_bytes + 15) / 16 * 16;
  launch.threads_per_block = static_cast<uint32_t>(config.block.count());
  launch.warps_per_block = (launch.threads_per_block + kWarpSize - 1) / kWarpSize;
  launch.local_stride = decoded.local_stride;
  launch.param_stride = decoded.param_stride;
  launch.slice_blocks = slice_for(options.instruction_budget);
  launch.cluster = cluster_of(decoded, config);
  const ptx::Function& kernel = *decoded.functions[0].source;
  launch.explicit_cluster =
      config.cluster.count() > 0 || kernel.explicit_cluster || kernel.reqnctapercluster[0] > 0;
  launch.grid = grid_of(decoded, config);
  launch.in_clusters = runs_in_clusters(program, config);
  launch.total_blocks = options.blocks.empty() ? launch.grid.count() : options.blocks.size();
  launch.positions = launch.total_blocks / launch.cluster.count();
  refused = check_cooperative(launch);
  if (!refused.empty()) return refused;
  return success();
}

void prepare_worker(Launch& launch, EmulationThread& worker, int index) {
  const DecodedProgram& decoded = *launch.program;
  worker.launch = &launch;
  worker.index = index;
  worker.counts.resize(static_cast<size_t>(decoded.basic_blocks));
  worker.region_of_site.assign(decoded.sites.size(), nullptr);
  worker.pattern_of_site.assign(decoded.sites.size(), {});
  worker.tid = thread_indices(launch.config->block, launch.warps_per_block);
}

void watch_global_races(Launch& launch) {
  const DecodedProgram& program = *launch.program;
  const bool blocks_may_race = launch.total_blocks > 1;
  const bool warps_may_race = !program.orders_warps && launch.warps_per_block > 1;
  if (!blocks_may_race && !warps_may_race) return;
  std::vector<bool> stored(launch.regions.size(), false);
  std::vector<bool> loaded(launch.regions.size(), false);
  for (size_t s = 0; s < program.sites.size(); ++s) {
    const AccessSite& site = program.sites[s];
    if (site.space != ptx::Space::kGlobal && site.space != ptx::Space::kGeneric) continue;
    // Atomics do not count as plain loads: they do not race among themselves.
    std::vector<bool>& touched = site.kind == AccessKind::kLoad ? loaded : stored;
    const Region* region = launch.base_of_site[s];
    for (size_t r = 0; r < launch.regions.size(); ++r) {
      if (region == nullptr || region == &launch.regions[r]) touched[r] = true;
    }
  }
  if (blocks_may_race && program.orders_blocks && !launch.in_clusters &&
      launch.total_blocks <= GridShadow::kMostBlocks)
    launch.grid_shadow =
        std::make_unique<GridShadow>(launch.total_blocks, program.global_granule_bytes);
  for (const BoundTexture& texture : launch.textures) {
    if (texture.object->array >= 0) continue;
    const Region* region = launch.find(texture.object->base, 1);
    if (region != nullptr) loaded[static_cast<size_t>(region - launch.regions.data())] = true;
  }
  for (size_t r = 0; r < launch.regions.size(); ++r) {
    Region& region = launch.regions[r];
    if (!stored[r]) continue;
    region.watch_warps = warps_may_race && (loaded[r] || region.size_bytes <= kMaxStoredOnlyBytes);
    if (!blocks_may_race || region.size_bytes > kMaxWatchedBytes) continue;
    // Reads may be ordered by the kernel's own protocol: see watch_global.
    launch.shadows.push_back(std::make_unique<GlobalShadow>(
        region.size_bytes, program.global_granule_bytes, loaded[r] && !program.orders_blocks));
    region.shadow = launch.shadows.back().get();
    region.stores_may_wait =
        !loaded[r] && !region.watch_warps && !program.orders_blocks && !program.has_volatile;
  }
}

}  // namespace warpshop::emulator
