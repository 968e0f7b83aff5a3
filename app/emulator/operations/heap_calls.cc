// malloc and free in kernels, and the leaks that remain at the end of a launch.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "checks/note_finding.h"
#include "checks/words.h"
#include "core/ascii.h"
#include "operations/builtins.h"
#include "operations/heap_leaks.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

Heap::Caller caller_of(const Warp& warp, const MicroOp* op, int lane) {
  const ptx::Instruction& i = warp.function->source->body[static_cast<size_t>(op->instruction)];
  const auto& files = warp.worker->launch->program->module->files;
  const auto file = files.find(i.source.file);
  return {.function = warp.function->index,
          .instruction = op->instruction,
          .place = {.file = file == files.end() ? "" : file->second,
                    .line = i.source.line,
                    .column = i.source.column},
          .ptx_line = i.ptx_line,
          .who = place_of_lane(warp, lane),
          .linear_block = warp.block->linear};
}

void note_bad_free(Warp& warp, const MicroOp* op, int lane, uint64_t address, Heap::Freed outcome,
                   const Heap::Block& block) {
  Finding* f = note_finding(warp, op, FindingKind::kInvalidFree, ptx::Space::kGlobal, "", lane);
  if (f == nullptr) return;
  f->address = address;
  if (outcome == Heap::Freed::kUnknown) {
    const Region* region = warp.worker->launch->find(address, 1);
    f->message = sentence("free({address}): malloc never gave this pointer",
                          {{"address", hexadecimal(address)}});
    if (region != nullptr)
      f->message.then(sentence("it points into \"{name}\"", {{"name", region->name}}), "; ");
    f->allocation = region != nullptr ? region->name : "";
    f->cause = sentence(
        "memory that the host or an array gave, or a pointer that was never set: only what malloc "
        "gave can be freed");
    return;
  }
  f->allocation = block.region.name;
  f->other_place = block.allocated.place;
  f->other_who = block.allocated.who;
  if (outcome == Heap::Freed::kTwice) {
    f->other_place = block.freed.place;
    f->other_who = block.freed.who;
    f->message =
        block.freed.place.line > 0
            ? sentence("free({address}): this memory was freed before at line {line}",
                       {{"address", hexadecimal(address)}, {"line", block.freed.place.line}})
            : sentence("free({address}): this memory was freed before",
                       {{"address", hexadecimal(address)}});
    f->cause = sentence(
        "two threads free one pointer, or a pointer is kept after free: let one thread free it, "
        "and set it to nullptr");
    return;
  }
  f->distance_bytes = static_cast<int64_t>(address - block.region.base);
  f->message = block.allocated.place.line > 0
                   ? sentence(
                         "free({address}): the pointer lies {bytes} bytes inside the memory that "
                         "malloc gave at line {line}",
                         {{"address", hexadecimal(address)},
                          {"bytes", f->distance_bytes},
                          {"line", block.allocated.place.line}})
                   : sentence(
                         "free({address}): the pointer lies {bytes} bytes inside the memory that "
                         "malloc gave",
                         {{"address", hexadecimal(address)}, {"bytes", f->distance_bytes}});
  f->cause = sentence("the pointer was moved: keep what malloc gave, and free that");
}

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

void call_malloc(Warp& warp, const MicroOp* op, const CallSite& site) {
  Heap& heap = *warp.worker->launch->heap;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address =
        heap.allocate(builtin_argument(warp, site, lane, 0, 8), caller_of(warp, op, lane));
    if (uint8_t* to = builtin_result(warp, site, lane)) std::memcpy(to, &address, sizeof address);
  }
}

void call_free(Warp& warp, const MicroOp* op, const CallSite& site) {
  Heap& heap = *warp.worker->launch->heap;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = builtin_argument(warp, site, lane, 0, 8);
    if (address == 0) continue;
    Heap::Block block;
    const Heap::Freed outcome = heap.release(address, caller_of(warp, op, lane), block);
    if (outcome != Heap::Freed::kYes) note_bad_free(warp, op, lane, address, outcome, block);
  }
}

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
