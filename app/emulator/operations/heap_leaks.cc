#include "operations/heap_leaks.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace warpshop::emulator {
namespace {

// Removes the blocks that can be reached from the memory: those to which any aligned 8 bytes point.
void remove_reachable(std::vector<Heap::Block>& blocks, std::span<const Region> memory) {
  std::vector<bool> reached(blocks.size(), false);
  std::vector<Region> to_read(memory.begin(), memory.end());
  while (!to_read.empty()) {
    const Region region = to_read.back();
    to_read.pop_back();
    for (uint64_t at = 0; at + 8 <= region.size_bytes; at += 8) {
      uint64_t address = 0;
      std::memcpy(&address, region.data + at, sizeof address);
      if (!is_heap_address(address)) continue;
      const auto after = std::upper_bound(
          blocks.begin(), blocks.end(), address,
          [](uint64_t value, const Heap::Block& block) { return value < block.region.base; });
      if (after == blocks.begin()) continue;
      const auto found = static_cast<size_t>(after - blocks.begin()) - 1;
      if (reached[found] || !holds(blocks[found].region, address, 1)) continue;
      reached[found] = true;
      to_read.push_back(blocks[found].region);
    }
  }
  size_t n = 0;
  std::erase_if(blocks, [&](const Heap::Block&) { return reached[n++]; });
}

}  // namespace

std::vector<Finding> leaks_of(const Heap& heap, std::span<const Region> memory) {
  struct Leak {
    Finding finding;
    uint64_t bytes = 0;
    uint64_t first_block = 0;
  };
  std::map<std::pair<int, int>, Leak> by_site;
  std::vector<Heap::Block> blocks = heap.living();
  if (!blocks.empty()) remove_reachable(blocks, memory);
  for (const Heap::Block& block : blocks) {
    const auto [it, fresh] =
        by_site.try_emplace({block.allocated.function, block.allocated.instruction});
    Leak& leak = it->second;
    Finding& f = leak.finding;
    leak.bytes += block.region.size_bytes;
    if (!fresh) ++f.count;
    if (!fresh && leak.first_block <= block.allocated.linear_block) continue;
    leak.first_block = block.allocated.linear_block;
    const uint64_t count = f.count;
    f = Finding{};
    f.kind = FindingKind::kLeak;
    f.severity = Severity::kWarning;
    f.space = "global";
    f.place = block.allocated.place;
    f.ptx_line = block.allocated.ptx_line;
    f.who = block.allocated.who;
    f.address = block.region.base;
    f.size_bytes = static_cast<uint32_t>(block.region.size_bytes);
    f.allocation = block.region.name;
    f.count = count;
  }
  std::vector<Finding> all;
  for (auto& [site, leak] : by_site) {
    Finding& f = leak.finding;
    f.message = counted(f.count, "a block of {bytes} bytes from malloc is never freed",
                        "{count} blocks, together of {bytes} bytes from malloc are never freed",
                        {{"bytes", leak.bytes}});
    f.cause = sentence(
        "a thread leaves before its free: the heap lives as long as the program, and what is lost "
        "is missing in later launches");
    all.push_back(std::move(f));
  }
  return all;
}

}  // namespace warpshop::emulator
