#include "state/regions.h"

namespace warpshop::emulator {
namespace {

// The part of shared memory that a site may access: a pointer to one array may access that array
// only.
Region shared_region(EmulationThread& worker, const DecodedProgram::SiteBase& base) {
  const Launch& launch = *worker.launch;
  const uint32_t end = base.size_bytes == 0 ? launch.shared_bytes : base.offset + base.size_bytes;
  if (base.one_array && base.offset <= end) {
    return {.base = base.offset,
            .size_bytes = end - base.offset,
            .data = worker.block.shared.data() + base.offset,
            .name = base.name.c_str()};
  }
  return {.base = 0,
          .size_bytes = launch.shared_bytes,
          .data = worker.block.shared.data(),
          .name = "shared memory"};
}

}  // namespace

std::optional<Region> region_of_global(EmulationThread& worker, uint32_t site, uint64_t address,
                                       uint64_t bytes) {
  const Launch& launch = *worker.launch;
  if (launch.heap && is_heap_address(address))
    return worker.heap_regions.find(*launch.heap, site, address, bytes);
  const Region* fixed = launch.find(address, bytes);
  return fixed == nullptr ? std::nullopt : std::optional<Region>(*fixed);
}

Region region_of_space(Warp& warp, const MicroOp* op, ptx::Space space) {
  EmulationThread& worker = *warp.worker;
  Launch& launch = *worker.launch;
  switch (space) {
    case ptx::Space::kShared:
      return worker.shared_of_site[op->site];
    case ptx::Space::kConst:
      if (const DecodedProgram::SiteBase& base = launch.program->site_bases[op->site];
          base.constant) {
        return {.base = base.offset,
                .size_bytes = base.size_bytes,
                .data = const_cast<uint8_t*>(launch.program->const_image.data()) + base.offset,
                .name = base.name.c_str()};
      }
      return {.base = 0,
              .size_bytes = launch.program->const_image.size(),
              .data = const_cast<uint8_t*>(launch.program->const_image.data()),
              .name = "constant memory"};
    case ptx::Space::kParam:
      return {.base = 0,
              .size_bytes = launch.params.size(),
              .data = launch.params.data(),
              .name = "parameters"};
    case ptx::Space::kLocal:
      return {.base = 0,
              .size_bytes = launch.local_stride,
              .data = warp.local.data(),
              .name = "local memory"};
    default:
      return {};
  }
}

void find_shared_regions(EmulationThread& worker) {
  worker.shared_of_site.clear();
  for (const DecodedProgram::SiteBase& base : worker.launch->program->site_bases) {
    worker.shared_of_site.push_back(shared_region(worker, base));
  }
}

}  // namespace warpshop::emulator
