#include "access/bulk_copy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>

#include "access/access_check.h"
#include "access/mbarrier.h"
#include "access/memory_ops.h"
#include "checks/access_findings.h"
#include "checks/copy_watch.h"
#include "checks/note_finding.h"
#include "checks/race_watch.h"
#include "checks/words.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator::bulk_copy {
namespace {

constexpr int kPiece = kBulkPiece;
// Bytes reported to the models at a time: one warp request with 16 bytes per lane.
constexpr uint64_t kRow = uint64_t{kPiece} * kWarpSize;

uint64_t address_of(Warp& warp, const MicroOp* op, int lane) {
  uint64_t base = 0;
  if (op->a != kNoRegister)
    base =
        (op->flags & kBase32) ? warp.reg<uint32_t>(op->a)[lane] : warp.reg<uint64_t>(op->a)[lane];
  return (op->flags & kBase32) ? static_cast<uint32_t>(base + op->imm) : base + op->imm;
}

// Runs `body` with only this lane active, hidden from the models.
template <typename Body>
void unseen(Warp& warp, int lane, Body body) {
  AccessSink* const sink = std::exchange(warp.worker->sink, nullptr);
  const uint32_t before = warp.mask;
  set_mask(warp, 1u << lane);
  body();
  set_mask(warp, before);
  warp.worker->sink = sink;
}

bool note_wrong_place(Warp& warp, const MicroOp* op, ptx::Space space, AccessIntent intent,
                      int lane, uint64_t address) {
  if (address % kPiece == 0) return false;
  if (Finding* f = note_finding(warp, op, FindingKind::kMisaligned, space, verb(intent), lane)) {
    f->address = address;
    f->size_bytes = kPiece;
    f->message = intent == AccessIntent::kRead
                     ? sentence("a copy in bulk from {address}, which is not a multiple of 16",
                                {{"address", hex_text(address)}})
                     : sentence("a copy in bulk to {address}, which is not a multiple of 16",
                                {{"address", hex_text(address)}});
    f->cause = sentence(
        "copies in bulk move pieces of 16 bytes: align both arrays with alignas(16), and copy "
        "whole pieces of them");
  }
  return true;
}

bool note_wrong_size(Warp& warp, const MicroOp* op, int lane, uint32_t bytes) {
  if (bytes % kPiece == 0) return false;
  if (Finding* f = note_finding(warp, op, FindingKind::kMisaligned, ptx::Space::kGlobal,
                                verb(AccessIntent::kRead), lane)) {
    f->size_bytes = bytes;
    f->message = sentence("a copy in bulk of {bytes} bytes, which is not a multiple of 16",
                          {{"bytes", bytes}});
    f->cause = sentence(
        "copies in bulk move pieces of 16 bytes: copy the rest by ordinary loads, or pad the "
        "array");
  }
  return true;
}

// Reads the lane's source; false: a finding explains the error.
bool read_source(Warp& warp, const MicroOp* op, int lane, uint64_t from, std::vector<uint8_t>& to) {
  MicroOp piece = *op;
  piece.a = kNoRegister;
  piece.flags &= ~uint32_t{kBase32};
  bool good = true;
  unseen(warp, lane, [&] {
    for (size_t at = 0; good && at < to.size(); at += kPiece) {
      piece.imm = from + at;
      const CheckedAccess checked = check_access(warp, &piece, kPiece, AccessIntent::kRead);
      good = checked.lanes != 0;
      if (!good) return;
      const uint8_t* data = admitted_place(warp, &piece, checked, piece.imm, lane, kPiece).data;
      std::memcpy(to.data() + at, data, kPiece);
    }
  });
  // The pieces' addresses say nothing about the next execution's.
  warp.worker->pattern_of_site[op->site].mask = 0;
  return good;
}

// The models see rows of 512 bytes, aligned to 512: each sector is requested from L2 once, as
// measured on an H200 (docs/emulator.md).
void report_to_models(Warp& warp, const MicroOp* op, uint64_t from, uint64_t bytes) {
  EmulationThread& worker = *warp.worker;
  if (worker.sink == nullptr) return;
  WarpAccess& access = worker.access;
  access.site = op->site;
  access.space = ptx::Space::kGlobal;
  access.same_pattern = false;
  worker.identity.warp = warp.index;
  for (uint64_t at = from; at < from + bytes;) {
    const uint64_t end = std::min(from + bytes, (at / kRow + 1) * kRow);
    uint32_t lanes = 0;
    for (int lane = 0; at < end; ++lane, at += kPiece) {
      access.address[static_cast<size_t>(lane)] = at;
      lanes |= 1u << lane;
    }
    access.active_mask = lanes;
    worker.sink->on_access(worker.identity, worker.launch->program->sites[op->site], access);
  }
  access.active_mask = warp.mask;
}

// True if [address, address + bytes) is in the shared memory that the site may access; otherwise
// notes a finding.
bool check_shared_place(Warp& warp, const MicroOp* op, AccessIntent intent, int lane,
                        uint64_t address, uint64_t bytes, int piece) {
  const Region& region = warp.worker->shared_of_site[op->site];
  for (uint64_t at = address; at < address + bytes; at += static_cast<uint64_t>(piece)) {
    if (holds(region, at, static_cast<uint64_t>(piece))) continue;
    note_out_of_bounds(warp, op, ptx::Space::kShared, intent, lane, at, piece);
    return false;
  }
  return true;
}

// The warp that issued the copy, for findings, or the waiting warp if the issuer has exited.
Warp& issuer_of(Warp& waiting, const BulkCopy& copy) {
  for (const auto& warp : waiting.worker->running) {
    if (warp->index == copy.warp && warp->status != WarpStatus::kDone) return *warp;
  }
  return waiting;
}

void write(Warp& waiting, BulkCopy& copy) {
  end_watch(waiting, copy);
  Warp& warp = issuer_of(waiting, copy);
  EmulationThread& worker = *waiting.worker;
  // Conflicts with other copies were reported when it started.
  const std::shared_ptr<PendingCopies> others = std::exchange(worker.block.pending_copies, nullptr);
  const DecodedFunction* const function = std::exchange(warp.function, copy.function);
  for (size_t at = 0; at < copy.bytes.size(); at += kPiece) {
    worker.access.site = copy.op->site;
    worker.access.same_pattern = false;
    worker.access.address[static_cast<size_t>(copy.lane)] = copy.to + at;
    const BulkPieceValues values(copy.bytes.data() + at);
    watch_shared(warp, copy.op, 1u << copy.lane, kPiece, AccessIntent::kWrite, &values, nullptr);
    std::memcpy(worker.block.shared.data() + copy.to + at, copy.bytes.data() + at, kPiece);
  }
  warp.function = function;
  worker.block.pending_copies = others;
}

}  // namespace

const MicroOp* place(Warp&, const MicroOp* op) { return op + 1; }

const MicroOp* start(Warp& warp, const MicroOp* op) {
  const MicroOp* const to = op + 1;
  const MicroOp* const barrier = op + 2;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint32_t bytes = warp.reg<uint32_t>(op->b)[lane];
    const uint64_t from = address_of(warp, op, lane);
    BulkCopy copy;
    copy.op = to;
    copy.function = warp.function;
    copy.warp = warp.index;
    copy.lane = lane;
    copy.from = from;
    copy.to = address_of(warp, to, lane);
    copy.barrier = address_of(warp, barrier, lane);
    copy.counted_bytes = bytes;
    const bool wrong =
        note_wrong_size(warp, op, lane, bytes) ||
        note_wrong_place(warp, op, ptx::Space::kGlobal, AccessIntent::kRead, lane, from) ||
        note_wrong_place(warp, to, ptx::Space::kShared, AccessIntent::kWrite, lane, copy.to);
    if (!wrong &&
        check_shared_place(warp, to, AccessIntent::kWrite, lane, copy.to, bytes, kPiece)) {
      copy.bytes.resize(bytes);
      if (read_source(warp, op, lane, from, copy.bytes)) {
        report_to_models(warp, op, from, bytes);
      } else {
        copy.bytes.clear();
      }
    }
    if (check_shared_place(warp, barrier, AccessIntent::kAtomic, lane, copy.barrier, 8, 8)) {
      watch_copy_start(warp, copy);
      warp.block->bulk_copies.push_back(std::move(copy));
    }
  }
  return op + 3;
}

void arrive(Warp& warp, const MicroOp* op) {
  std::vector<BulkCopy>& copies = warp.block->bulk_copies;
  if (copies.empty()) return;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    uint64_t address = address_of(warp, op, std::countr_zero(rest));
    if (written_space(op) == ptx::Space::kGeneric) address &= ~kWindowMask;
    for (BulkCopy& copy : copies) {
      if (copy.barrier != address) continue;
      write(warp, copy);
      mbarrier::complete_bytes(warp, copy.barrier, copy.counted_bytes);
    }
    std::erase_if(copies, [&](const BulkCopy& copy) { return copy.barrier == address; });
  }
}

}  // namespace warpshop::emulator::bulk_copy
