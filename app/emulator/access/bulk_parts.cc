#include "access/bulk_parts.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "access/access_check.h"
#include "access/memory_ops.h"
#include "checks/access_findings.h"
#include "checks/note_finding.h"
#include "checks/words.h"
#include "core/ascii.h"
#include "state/launch_state.h"

namespace warpshop::emulator::bulk_copy {
namespace {

// Bytes reported to the models at a time: one warp request with 16 bytes per lane.
constexpr uint64_t kRow = uint64_t{kPiece} * kWarpSize;

class BulkUnitValues final : public StoreValues {
 public:
  BulkUnitValues(const uint8_t* from, size_t bytes) : from_(from), bytes_(bytes) {}
  void lane(int, uint8_t* to) const override { std::memcpy(to, from_, bytes_); }

 private:
  const uint8_t* from_;
  size_t bytes_;
};

// The largest unit at this place: 16 bytes where both the address and the rest allow it.
int unit_at(uint64_t address, uint64_t left, int unit) {
  return address % kPiece == 0 && left >= kPiece ? kPiece : unit;
}

}  // namespace

uint64_t address_of(Warp& warp, const MicroOp* op, int lane) {
  uint64_t base = 0;
  if (op->a != kNoRegister)
    base =
        (op->flags & kBase32) ? warp.reg<uint32_t>(op->a)[lane] : warp.reg<uint64_t>(op->a)[lane];
  return (op->flags & kBase32) ? static_cast<uint32_t>(base + op->imm) : base + op->imm;
}

bool note_wrong_place(Warp& warp, const MicroOp* op, ptx::Space space, AccessIntent intent,
                      int lane, uint64_t address, int multiple) {
  if (address % static_cast<uint64_t>(multiple) == 0) return false;
  if (Finding* f = note_finding(warp, op, FindingKind::kMisaligned, space, verb(intent), lane)) {
    f->address = address;
    f->size_bytes = static_cast<uint32_t>(multiple);
    const std::vector<SentencePart> parts = {{"address", hexadecimal(address)},
                                             {"multiple", multiple}};
    f->message =
        intent == AccessIntent::kRead
            ? sentence("a copy in bulk from {address}, which is not a multiple of {multiple}",
                       parts)
            : sentence("a copy in bulk to {address}, which is not a multiple of {multiple}", parts);
    f->cause =
        multiple == kPiece
            ? sentence(
                  "copies in bulk move pieces of 16 bytes: align both arrays with alignas(16), and "
                  "copy whole pieces of them")
            : sentence("a box of a tensor needs alignas(128) in shared memory");
  }
  return true;
}

bool note_wrong_size(Warp& warp, const MicroOp* op, ptx::Space space, int lane, uint32_t bytes) {
  if (bytes % kPiece == 0) return false;
  if (Finding* f = note_finding(warp, op, FindingKind::kMisaligned, space,
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

bool read_source(Warp& warp, const MicroOp* op, int lane, uint64_t from, uint8_t* to, size_t bytes,
                 int unit, int swizzle) {
  MicroOp piece = *op;
  piece.a = kNoRegister;
  piece.flags &= ~uint32_t{kBase32};
  bool good = true;
  unseen(warp, lane, [&] {
    for (size_t at = 0; good && at < bytes;) {
      const int step = unit_at(from + at, bytes - at, unit);
      piece.imm = swizzled(from + at, swizzle);
      const CheckedAccess checked = check_access(warp, &piece, step, AccessIntent::kRead);
      good = checked.lanes != 0;
      if (!good) return;
      const uint8_t* data = admitted_place(warp, &piece, checked, piece.imm, lane, step).data;
      std::memcpy(to + at, data, static_cast<size_t>(step));
      at += static_cast<size_t>(step);
    }
  });
  // The pieces' addresses say nothing about the next execution's.
  warp.worker->pattern_of_site[op->site].mask = 0;
  return good;
}

void write_global(Warp& warp, const BulkStore& store, const BulkStore::Piece& from) {
  MicroOp piece = *store.op;
  piece.a = piece.d = kNoRegister;
  piece.flags &= ~uint32_t{kBase32};
  const AccessIntent intent =
      store.reduction == nullptr ? AccessIntent::kWrite : AccessIntent::kAtomic;
  bool good = true;
  unseen(warp, store.lane, [&] {
    for (uint32_t at = 0; good && at < from.bytes;) {
      const int step = unit_at(from.to + at, from.bytes - at, store.element_bytes);
      const uint8_t* const value = store.bytes.data() + from.at + at;
      piece.imm = from.to + at;
      const BulkUnitValues values(value, static_cast<size_t>(step));
      const StoreInFlight until_stored(warp.worker->launch->stores, warp.worker->index);
      const CheckedAccess checked = check_access(warp, &piece, step, intent, &values);
      good = checked.lanes != 0;
      if (!good) return;
      const HostPlace place = admitted_place(warp, &piece, checked, piece.imm, store.lane, step);
      if (store.reduction != nullptr) {
        store.reduction(place.data, value, static_cast<size_t>(step), false);
      } else {
        std::memcpy(place.data, value, static_cast<size_t>(step));
      }
      if (place.written != nullptr) std::memset(place.written, 1, static_cast<size_t>(step));
      at += static_cast<uint32_t>(step);
    }
  });
  warp.worker->pattern_of_site[store.op->site].mask = 0;
  if (good) report_to_models(warp, store.op, from.to, from.bytes);
}

void report_to_models(Warp& warp, const MicroOp* op, uint64_t from, uint64_t bytes) {
  EmulationThread& worker = *warp.worker;
  if (worker.sink == nullptr) return;
  WarpAccess& access = worker.access;
  access.site = op->site;
  access.space = ptx::Space::kGlobal;
  access.same_pattern = false;
  worker.identity.warp = warp.index;
  for (uint64_t at = from / kPiece * kPiece; at < from + bytes;) {
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

}  // namespace warpshop::emulator::bulk_copy
