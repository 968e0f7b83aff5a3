#include "access/async_copy.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "access/access_check.h"
#include "access/memory_ops.h"
#include "checks/copy_watch.h"
#include "state/decoded.h"
#include "state/emulation_thread.h"

namespace warpshop::emulator::async_copy {
namespace {

AsyncCopies& copies_of(Warp& warp) {
  if (!warp.copies) warp.copies = std::make_shared<AsyncCopies>();
  AsyncCopies& copies = *warp.copies;
  if (copies.block != warp.block->linear || copies.warp != warp.index) {
    copies = {};
    copies.block = warp.block->linear;
    copies.warp = warp.index;
  }
  return copies;
}

// Runs `body` with only these lanes active.
template <typename Body>
void with_lanes(Warp& warp, uint32_t lanes, Body body) {
  const uint32_t before = warp.mask;
  if (lanes != before) set_mask(warp, lanes);
  body();
  if (lanes != before) set_mask(warp, before);
}

// Runs `body` hidden from the models, which see the copy as a whole.
template <typename Body>
void unseen(Warp& warp, Body body) {
  AccessSink* const sink = std::exchange(warp.worker->sink, nullptr);
  body();
  warp.worker->sink = sink;
}

void report_to_models(Warp& warp, const AsyncCopies::Copy& copy) {
  EmulationThread& worker = *warp.worker;
  if (worker.sink == nullptr) return;
  WarpAccess from{.site = copy.op->site, .space = ptx::Space::kGlobal, .address = copy.from};
  const WarpAccess to{.site = copy.op[1].site,
                      .space = ptx::Space::kShared,
                      .active_mask = copy.watched,
                      .address = copy.to};
  bool some_bytes = false;
  for (uint32_t rest = copy.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    if (copy.from_bytes[lane] == 0) continue;
    from.active_mask |= 1u << lane;
    some_bytes = some_bytes || copy.from_bytes[lane] < copy.op->e;
  }
  worker.identity.warp = warp.index;
  worker.sink->on_copy(worker.identity, worker.launch->program->sites, from, to, some_bytes);
}

// Reads `bytes` bytes of the active lanes, `offset` bytes into each copy.
void read_source(Warp& warp, const MicroOp* op, uint32_t offset, int bytes,
                 AsyncCopies::Copy& copy) {
  MicroOp part = *op;
  part.imm += offset;
  // The site's pattern is valid for full-size accesses only.
  AddressPattern& pattern = warp.worker->pattern_of_site[op->site];
  const bool whole = static_cast<uint32_t>(bytes) == op->e;
  if (!whole) pattern.mask = 0;
  CheckedAccess checked;
  unseen(warp, [&] { checked = check_access(warp, &part, bytes, AccessIntent::kRead); });
  if (!whole) pattern.mask = 0;
  for (uint32_t rest = checked.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    const uint64_t address = warp.worker->access.address[lane];
    if (offset == 0) copy.from[lane] = address;
    copy.from_bytes[lane] = static_cast<uint8_t>(offset + static_cast<uint32_t>(bytes));
    const uint8_t* from =
        admitted_place(warp, op, checked, address, static_cast<int>(lane), bytes).data;
    std::memcpy(copy.bytes[lane].data() + offset, from, static_cast<size_t>(bytes));
  }
}

// Completes the copy of the active lanes.
void arrive(Warp& warp, AsyncCopies::Copy& copy, uint32_t address_register) {
  end_watch(warp, copy, warp.mask);
  MicroOp write = copy.op[1];
  const auto bytes = static_cast<int>(copy.op->e);
  write.a = address_register;
  write.imm = 0;
  write.flags &= ~uint32_t{kBase32};
  std::memcpy(warp.reg<uint64_t>(address_register), copy.to.data(), sizeof copy.to);
  const DecodedFunction* function = warp.function;
  warp.function = copy.function;
  const CopiedValues values(copy, static_cast<size_t>(bytes));
  // Conflicts were reported when the copy started.
  const std::shared_ptr<PendingCopies> others =
      std::exchange(warp.worker->block.pending_copies, nullptr);
  CheckedAccess checked;
  unseen(warp, [&] { checked = check_access(warp, &write, bytes, AccessIntent::kWrite, &values); });
  warp.worker->block.pending_copies = others;
  warp.function = function;
  for (uint32_t rest = checked.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = warp.worker->access.address[static_cast<size_t>(lane)];
    const HostPlace to = admitted_place(warp, &write, checked, address, lane, bytes);
    values.lane(lane, to.data);
    if (to.written != nullptr) std::memset(to.written, 1, static_cast<size_t>(bytes));
  }
}

void let_oldest_arrive(Warp& warp, AsyncCopies& copies, uint32_t address_register) {
  const size_t half = copies.pending.size() / 2;
  for (size_t n = 0; n < half; ++n) {
    AsyncCopies::Copy& copy = copies.pending[n];
    // Copies of lanes that have left the kernel are dropped.
    if (const uint32_t lanes = copy.lanes & warp.live; lanes != 0) {
      with_lanes(warp, lanes, [&] { arrive(warp, copy, address_register); });
    }
  }
  copies.pending.erase(copies.pending.begin(),
                       copies.pending.begin() + static_cast<ptrdiff_t>(half));
}

}  // namespace

const MicroOp* place(Warp&, const MicroOp* op) { return op + 1; }

const MicroOp* start(Warp& warp, const MicroOp* op) {
  AsyncCopies& copies = copies_of(warp);
  if (copies.pending.size() >= kMostPending) let_oldest_arrive(warp, copies, op[1].b);
  AsyncCopies::Copy& copy = copies.pending.emplace_back();
  copy.op = op;
  copy.function = warp.function;
  copy.lanes = warp.mask;
  copy.group = copies.groups;
  const MicroOp& write = op[1];
  uint32_t ignored = 0;
  if (op->c != kNoRegister) {
    ignored = *warp.reg<uint32_t>(op->c);
    if (op->flags & kIgnoreNegated) ignored = ~ignored;
  }
  uint32_t size[kWarpSize] = {};
  uint32_t whole = 0;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    uint64_t base = 0;
    if (write.a != kNoRegister) {
      base = (write.flags & kBase32) ? warp.reg<uint32_t>(write.a)[lane]
                                     : warp.reg<uint64_t>(write.a)[lane];
    }
    copy.to[lane] =
        (write.flags & kBase32) ? static_cast<uint32_t>(base + write.imm) : base + write.imm;
    // "src-size … must be less than cp-size"; the rest of the destination is zero-filled; with
    // ignore-src all of it.
    size[lane] = op->b == kNoRegister ? op->e : std::min(warp.reg<uint32_t>(op->b)[lane], op->e);
    if ((ignored >> lane) & 1u) size[lane] = 0;
    if (size[lane] == op->e) whole |= 1u << lane;
  }
  if (whole != 0) {
    with_lanes(warp, whole, [&] { read_source(warp, op, 0, static_cast<int>(op->e), copy); });
  }
  // Partial copies: pieces of 8, 4, 2 and 1 bytes, all lanes with the same piece together.
  uint32_t done[kWarpSize] = {};
  for (uint32_t piece = 8; piece != 0 && whole != warp.mask; piece /= 2) {
    uint32_t left = 0;
    for (uint32_t rest = warp.mask & ~whole; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (size[lane] & piece) left |= 1u << lane;
    }
    while (left != 0) {
      const uint32_t offset = done[std::countr_zero(left)];
      uint32_t together = 0;
      for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        if (done[lane] == offset) together |= 1u << lane;
      }
      with_lanes(warp, together,
                 [&] { read_source(warp, op, offset, static_cast<int>(piece), copy); });
      for (uint32_t rest = together; rest != 0; rest &= rest - 1)
        done[std::countr_zero(rest)] += piece;
      left &= ~together;
    }
  }
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    copies.open_bytes[lane] += copy.from_bytes[lane];
  }
  watch_copy_start(warp, copy);
  report_to_models(warp, copy);
  return op + 2;
}

const MicroOp* commit_group(Warp& warp, const MicroOp* op) {
  AsyncCopies& copies = copies_of(warp);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    ++copies.groups[lane];
    const uint32_t bytes = std::exchange(copies.open_bytes[lane], 0);
    warp.worker->largest_group = std::max(warp.worker->largest_group, bytes);
  }
  return op + 1;
}

const MicroOp* wait_group(Warp& warp, const MicroOp* op) {
  AsyncCopies& copies = copies_of(warp);
  for (AsyncCopies::Copy& copy : copies.pending) {
    uint32_t lanes = copy.lanes & warp.mask;
    if (op->imm != kWaitForAll) {
      for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<size_t>(std::countr_zero(rest));
        if (copy.group[lane] + op->imm >= copies.groups[lane]) lanes &= ~(1u << lane);
      }
    }
    if (lanes == 0) continue;
    with_lanes(warp, lanes, [&] { arrive(warp, copy, op->a); });
    copy.lanes &= ~lanes;
  }
  std::erase_if(copies.pending, [](const AsyncCopies::Copy& copy) { return copy.lanes == 0; });
  return op + 1;
}

}  // namespace warpshop::emulator::async_copy
