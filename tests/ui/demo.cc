#include "demo.h"

namespace warpshop::ui::demo {

RunBuilder::RunBuilder() {
  run_.kernel = "demo";
  run_.completed = true;
  run_.block = {32, 8, 1};
  run_.grid = {8, 32, 1};
}

uint32_t RunBuilder::site(int line, ptx::Space space, emulator::AccessKind kind, int element_bytes,
                          int elements) {
  emulator::AccessSite site;
  site.space = space;
  site.kind = kind;
  site.element_bytes = static_cast<uint8_t>(element_bytes);
  site.elements = static_cast<uint8_t>(elements);
  site.source.file = 1;
  site.source.line = line;
  run_.sites.push_back(site);
  return static_cast<uint32_t>(run_.sites.size() - 1);
}

void RunBuilder::access(uint32_t site, uint32_t warp,
                        const std::function<uint64_t(int lane)>& address, uint32_t active_mask) {
  timing::RecordedAccess record;
  record.warp.warp = warp;
  record.warp.block = {0, 0, 0};
  record.access.site = site;
  record.access.space = run_.sites[site].space;
  record.access.active_mask = active_mask;
  for (int lane = 0; lane < emulator::kWarpSize; ++lane) {
    if (active_mask >> lane & 1) record.access.address[static_cast<size_t>(lane)] = address(lane);
  }
  run_.records.push_back(record);
}

lab::KernelRun transpose_run(int n, int read_line, int write_line) {
  RunBuilder builder;
  const uint32_t load = builder.site(read_line, ptx::Space::kGlobal, emulator::AccessKind::kLoad);
  const uint32_t store =
      builder.site(write_line, ptx::Space::kGlobal, emulator::AccessKind::kStore);
  for (int warp = 0; warp < 8; ++warp) {
    const auto w = static_cast<uint32_t>(warp);
    builder.access(load, w,
                   [&](int lane) { return kIn + 4u * static_cast<uint64_t>(warp * n + lane); });
    builder.access(store, w,
                   [&](int lane) { return kOut + 4u * static_cast<uint64_t>(lane * n + warp); });
  }
  return builder.run();
}

lab::BufferComparison comparison(uint64_t count, uint64_t width,
                                 const std::vector<uint64_t>& wrong) {
  lab::BufferComparison c;
  c.buffer = "out";
  c.count = count;
  c.width = width;
  c.has_rows = width < count;
  c.wrong = wrong.size();
  if (!wrong.empty()) {
    c.wrong_bits.assign((count + 7) / 8, 0);
    for (uint64_t element : wrong) {
      c.wrong_bits[element / 8] =
          static_cast<uint8_t>(c.wrong_bits[element / 8] | 1u << (element % 8));
    }
    c.first = {wrong.front(), 1.5, 0, "1.5", "never written"};
  }
  return c;
}

}  // namespace warpshop::ui::demo
