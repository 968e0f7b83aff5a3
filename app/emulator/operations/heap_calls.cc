// malloc and free in kernels.
#include <bit>
#include <cstring>
#include <string>

#include "checks/note_finding.h"
#include "checks/words.h"
#include "core/ascii.h"
#include "operations/builtins.h"
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

}  // namespace warpshop::emulator
