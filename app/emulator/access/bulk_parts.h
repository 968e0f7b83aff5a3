// The common parts of all copies in bulk: addresses, checks of both ends, the models' records.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "checks/access_intent.h"
#include "checks/copy_watch.h"
#include "state/emulation_thread.h"
#include "state/micro_op.h"
#include "state/warp.h"

namespace warpshop::emulator::bulk_copy {

inline constexpr int kPiece = kBulkPiece;

uint64_t address_of(Warp& warp, const MicroOp* op, int lane);

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

// True if the address or the size is not a multiple of 16; a finding says so.
bool note_wrong_place(Warp& warp, const MicroOp* op, ptx::Space space, AccessIntent intent,
                      int lane, uint64_t address, int multiple = kPiece);
bool note_wrong_size(Warp& warp, const MicroOp* op, ptx::Space space, int lane, uint32_t bytes);

// Reads to.size() bytes from there in units of `unit` bytes; false: a finding explains the error.
// `swizzle`: of a source in shared memory.
bool read_source(Warp& warp, const MicroOp* op, int lane, uint64_t from, uint8_t* to, size_t bytes,
                 int unit = kPiece, int swizzle = 0);
// Writes to global memory, or combines with what is there.
void write_global(Warp& warp, const BulkStore& store, const BulkStore::Piece& piece);

// The models see rows of 512 bytes, aligned to 512: each sector is requested from L2 once, as
// measured on an H200 (docs/emulator.md).
void report_to_models(Warp& warp, const MicroOp* op, uint64_t from, uint64_t bytes);

// True if [address, address + bytes) of the block's shared memory may be accessed by the site.
bool check_shared_place(Warp& warp, const MicroOp* op, AccessIntent intent, int lane,
                        uint64_t address, uint64_t bytes, int piece);

// Where the byte of a box at this address of shared memory really is: 16-byte chunks change places
// within 128, 256, 512 or 1024 bytes. CUDA Driver API, CUtensorMapSwizzle: 1 to 3 for 32, 64, 128.
// `base`: of a matrix descriptor, subtracted from the row of 128 bytes.
constexpr uint64_t swizzled(uint64_t address, int swizzle, uint64_t base = 0) {
  if (swizzle == 0) return address;
  const uint64_t mask = (uint64_t{1} << swizzle) - 1;  // of chunks
  return address ^ ((((address >> 7) - base) & mask) << 4);
}

}  // namespace warpshop::emulator::bulk_copy
