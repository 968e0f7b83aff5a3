#include "access/bulk_copy.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "access/bulk_parts.h"
#include "access/cluster_access.h"
#include "access/mbarrier.h"
#include "checks/cluster_watch.h"
#include "checks/copy_watch.h"
#include "checks/note_finding.h"
#include "checks/race_watch.h"
#include "checks/words.h"
#include "core/ascii.h"
#include "state/cluster.h"
#include "state/launch_state.h"
#include "state/memory_flags.h"

namespace warpshop::emulator::bulk_copy {
namespace {

// The warp that issued the copy, for findings, or the waiting warp if the issuer has exited or is
// of another block.
Warp& issuer_of(Warp& waiting, const BulkCopy& copy) {
  if (copy.rank != waiting.block->rank) return waiting;
  for (const auto& warp : waiting.worker->running) {
    if (warp->index == copy.warp && warp->status != WarpStatus::kDone) return *warp;
  }
  return waiting;
}

void write_piece(Block& block, const BulkCopy& copy, uint64_t to, size_t at, int bytes) {
  uint8_t* const place = block.shared.data() + to;
  if (copy.reduction != nullptr) {
    copy.reduction(place, copy.bytes.data() + at, static_cast<size_t>(bytes), true);
  } else {
    std::memcpy(place, copy.bytes.data() + at, static_cast<size_t>(bytes));
  }
}

void write(Warp& waiting, BulkCopy& copy) {
  end_watch(waiting, copy);
  Warp& warp = issuer_of(waiting, copy);
  EmulationThread& worker = *waiting.worker;
  Block& block = worker.block;
  const DecodedFunction* const function = std::exchange(warp.function, copy.function);
  const auto step = static_cast<size_t>(copy.bytes.size() % kPiece == 0 ? kPiece
                                        : copy.bytes.size() % 8         ? 4
                                                                        : 8);
  for (size_t at = 0; at < copy.bytes.size(); at += step) {
    const uint64_t to = swizzled(copy.place_of(at), copy.swizzle);
    worker.access.site = copy.op->site;
    worker.access.same_pattern = false;
    worker.access.address[static_cast<size_t>(copy.lane)] = to;
    const BulkPieceValues values(copy.bytes.data() + at, step);
    watch_arriving(warp, copy.op, copy.lane, static_cast<int>(step),
                   copy.reduction == nullptr ? AccessIntent::kWrite : AccessIntent::kAtomic,
                   values);
    write_piece(block, copy, to, at, static_cast<int>(step));
  }
  block.shadow.arrive_at_object(warp.index, 1u << copy.lane, copy.barrier);
  warp.function = function;
  note_arrival(block, copy);
}

void note_wrong_member(Warp& warp, const MicroOp* op, int lane, uint32_t mask) {
  Finding* f =
      note_finding(warp, op, FindingKind::kOutOfBounds, ptx::Space::kShared, "write", lane);
  if (f == nullptr) return;
  f->message =
      sentence("a copy in bulk to the blocks in {mask} of a cluster of {blocks} blocks",
               {{"mask", hexadecimal(mask)}, {"blocks", warp.worker->launch->cluster.count()}});
  f->cause = sentence("bit n of the mask is the block of rank n: only blocks of the cluster");
}

// True if the block's shared memory has each of the copy's bytes, where a swizzle puts it.
bool check_destination(Warp& warp, const MicroOp* op, int lane, const BulkCopy& copy) {
  const uint64_t bytes = copy.extent();
  const int piece = bytes % kPiece == 0 ? kPiece : 4;
  if (!check_shared_place(warp, op, AccessIntent::kWrite, lane, copy.to, bytes, piece))
    return false;
  for (uint64_t at = 0; copy.swizzle != 0 && at < copy.bytes.size(); at += kPiece) {
    if (!check_shared_place(warp, op, AccessIntent::kWrite, lane,
                            swizzled(copy.place_of(at), copy.swizzle), kPiece, kPiece))
      return false;
  }
  return true;
}

// Into one block's memory.
void send_to(Warp& warp, const MicroOp* op, int lane, BulkCopy copy, Block& owner, bool good) {
  const MicroOp* const to = op + 1;
  const MicroOp* const barrier = op + 2;
  if (owner.ended) {
    note_ended_block(warp, to, AccessIntent::kWrite, lane, owner, copy.to, kPiece);
    return;
  }
  if (!good || !check_destination(warp, to, lane, copy)) copy.bytes.clear();
  if (!check_shared_place(warp, barrier, AccessIntent::kAtomic, lane, copy.barrier, 8, 8)) return;
  if (&owner == warp.block) {
    watch_copy_start(warp, copy);
  } else {
    owner.cluster->shared_objects.insert({owner.rank, copy.barrier});
    watch_remote_copy(warp, copy, owner);
    uint64_t offset = copy.to;
    for (size_t at = 0; at < copy.bytes.size(); at += 4, offset = copy.place_of(at))
      owner.shadow.mark_written({.address = &offset, .mask = 1, .bytes = 4, .site = to->site});
  }
  owner.bulk_copies.push_back(std::move(copy));
}

}  // namespace

void send(Warp& warp, const MicroOp* op, int lane, BulkCopy copy, int alignment) {
  const MicroOp* const to = op + 1;
  const MicroOp* const barrier = op + 2;
  copy.op = to;
  copy.function = warp.function;
  copy.warp = warp.index;
  copy.lane = lane;
  copy.rank = warp.block->rank;
  if (op->e != 0) copy.reduction = warp.worker->launch->program->reductions[op->e - 1];
  const uint64_t address = address_of(warp, to, lane) & ~kWindowMask;
  const bool clusters = warp.worker->launch->in_clusters;
  Block* const first = clusters ? owner_of(warp, address) : warp.block;
  if (first == nullptr) return;  // mapa has reported it
  copy.to = clusters && rank_field(address) != 0 ? address & kMappedOffset : address;
  const uint64_t object = address_of(warp, barrier, lane) & ~kWindowMask;
  copy.barrier = clusters && rank_field(object) != 0 ? object & kMappedOffset : object;
  const bool good = !note_wrong_place(warp, to, ptx::Space::kShared, AccessIntent::kWrite, lane,
                                      copy.to, alignment);
  if (op->c == kNoRegister) return send_to(warp, op, lane, std::move(copy), *first, good);
  const uint32_t mask = warp.reg<uint16_t>(op->c)[lane];
  const uint64_t blocks = warp.worker->launch->cluster.count();
  if (mask >> blocks != 0) return note_wrong_member(warp, op, lane, mask);
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto rank = static_cast<size_t>(std::countr_zero(rest));
    Block& owner = clusters ? *warp.block->cluster->members[rank] : *warp.block;
    send_to(warp, op, lane, copy, owner, good);
  }
}

const MicroOp* place(Warp&, const MicroOp* op) { return op + 1; }

const MicroOp* start(Warp& warp, const MicroOp* op) {
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint32_t bytes = warp.reg<uint32_t>(op->b)[lane];
    BulkCopy copy;
    copy.from = address_of(warp, op, lane);
    copy.counted_bytes = bytes;
    const bool wrong =
        note_wrong_size(warp, op, ptx::Space::kGlobal, lane, bytes) ||
        note_wrong_place(warp, op, ptx::Space::kGlobal, AccessIntent::kRead, lane, copy.from);
    // Where it goes is checked first: a huge size must not take the host's memory.
    const uint64_t to = address_of(warp, op + 1, lane);
    const bool fits = wrong || bytes <= warp.worker->launch->shared_bytes ||
                      check_shared_place(warp, op + 1, AccessIntent::kWrite, lane,
                                         to & kMappedOffset, bytes, kPiece);
    if (!wrong && fits) {
      copy.bytes.resize(bytes);
      if (read_source(warp, op, lane, copy.from, copy.bytes.data(), bytes)) {
        if (PathSink* path = warp.worker->path) {
          path->on_bulk_copy(warp.block->linear, warp.index, op->site,
                             address_of(warp, op + 2, lane) & kMappedOffset);
        }
        report_to_models(warp, op, copy.from, bytes);
      } else {
        copy.bytes.clear();
      }
    }
    send(warp, op, lane, std::move(copy), kPiece);
  }
  return op + 3;
}

const MicroOp* start_from_shared(Warp& warp, const MicroOp* op) {
  ++warp.worker->remote_requests;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint32_t bytes = warp.reg<uint32_t>(op->b)[lane];
    BulkCopy copy;
    copy.from = address_of(warp, op, lane);
    copy.from_shared = true;
    copy.counted_bytes = bytes;
    if (!note_wrong_size(warp, op, ptx::Space::kShared, lane, bytes) &&
        !note_wrong_place(warp, op, ptx::Space::kShared, AccessIntent::kRead, lane, copy.from) &&
        check_shared_place(warp, op, AccessIntent::kRead, lane, copy.from, bytes, kPiece)) {
      check_proxy_writes(warp, op, lane, copy.from, bytes);
      copy.bytes.resize(bytes);
      if (!read_source(warp, op, lane, copy.from, copy.bytes.data(), bytes)) copy.bytes.clear();
    }
    send(warp, op, lane, std::move(copy), kPiece);
  }
  return op + 3;
}

const MicroOp* start_from_registers(Warp& warp, const MicroOp* op) {
  ++warp.worker->remote_requests;
  const RegisterList& list = warp.worker->launch->program->lists[op->d];
  const auto width = static_cast<size_t>(op->imm);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    BulkCopy copy;
    copy.from_shared = true;
    copy.bytes.resize(width * list.count);
    copy.counted_bytes = static_cast<uint32_t>(copy.bytes.size());
    for (size_t e = 0; e < list.count; ++e) {
      std::memcpy(copy.bytes.data() + e * width,
                  warp.frame + list.offset[e] + width * static_cast<size_t>(lane), width);
    }
    const auto alignment = static_cast<int>(copy.bytes.size());
    send(warp, op, lane, std::move(copy), alignment);
  }
  return op + 3;
}

void arrive(Warp& warp, const MicroOp* op) {
  std::vector<BulkCopy>& copies = warp.block->bulk_copies;
  if (copies.empty()) return;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    uint64_t address = address_of(warp, op, std::countr_zero(rest));
    if (written_space(op) == ptx::Space::kGeneric) address &= ~kWindowMask;
    if (warp.worker->launch->in_clusters && rank_field(address) == warp.block->rank + 1)
      address &= kMappedOffset;
    for (BulkCopy& copy : copies) {
      if (copy.barrier != address) continue;
      write(warp, copy);
      mbarrier::complete_bytes(warp, copy.barrier, copy.counted_bytes);
    }
    std::erase_if(copies, [&](const BulkCopy& copy) { return copy.barrier == address; });
  }
}

}  // namespace warpshop::emulator::bulk_copy
