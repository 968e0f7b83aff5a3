#include "access/tensor_copy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "access/bulk_copy.h"
#include "access/bulk_parts.h"
#include "access/bulk_reduction.h"
#include "access/bulk_store.h"
#include "access/column_stores.h"
#include "checks/copy_watch.h"
#include "checks/note_finding.h"
#include "checks/words.h"
#include "core/ascii.h"
#include "emulator/tensor_map.h"
#include "state/cluster.h"
#include "state/launch_state.h"
#include "state/regions.h"

namespace warpshop::emulator::tensor_copy {
namespace {

constexpr int kBoxAlignment = 128;  // bytes, in shared memory
constexpr uint64_t kMapAlignment = 64;

using Coordinates = std::array<int64_t, 5>;

// True if the first element of the box is not at a multiple of 16 bytes. Measured on an H100: an
// illegal instruction.
bool note_wrong_start(Warp& warp, const MicroOp* op, int lane, const TensorMap& map,
                      const Coordinates& at) {
  const int64_t bytes = at[0] * size_bytes(map.type);
  if (bytes % bulk_copy::kPiece == 0) return false;
  if (Finding* f =
          note_finding(warp, op, FindingKind::kMisaligned, ptx::Space::kGlobal, "read", lane)) {
    f->message = sentence(
        "a tensor copy from element {element} of a row: that is byte {bytes}, which is not a "
        "multiple of 16",
        {{"element", at[0]}, {"bytes", bytes}});
    f->cause = sentence(
        "tensor copies move pieces of 16 bytes: the first coordinate must be at one, such as a "
        "multiple of 8 for f16 or of 4 for f32");
  }
  return true;
}

// Likewise for a store to negative coordinates; loads may have them.
bool note_before_start(Warp& warp, const MicroOp* op, int lane, const TensorMap& map,
                       const Coordinates& at) {
  for (int d = 0; d < map.rank; ++d) {
    if (at[static_cast<size_t>(d)] >= 0) continue;
    if (Finding* f =
            note_finding(warp, op, FindingKind::kOutOfBounds, ptx::Space::kGlobal, "write", lane)) {
      f->message = sentence("a tensor copy to coordinate {at} of dimension {number}",
                            {{"at", at[static_cast<size_t>(d)]}, {"number", d + 1}});
      f->cause = sentence(
          "copies to global memory may reach beyond the end of the tensor, where nothing is "
          "written, but not before its start");
    }
    return true;
  }
  return false;
}

// A row of the box: contiguous in both memories.
struct Row {
  uint64_t start = 0;    // of the box's first element, which may lie outside the tensor
  uint64_t global = 0;   // of its first element inside the tensor
  uint32_t skipped = 0;  // bytes of the box before that element
  uint32_t inside = 0;   // bytes inside the tensor
};

void note_no_map(Warp& warp, const MicroOp* op, int lane, uint64_t address) {
  Finding* f = note_finding(warp, op, FindingKind::kTexture, ptx::Space::kGeneric, "read", lane);
  if (f == nullptr) return;
  f->address = address;
  const ptx::Space space = space_of_window(address);
  if (space == ptx::Space::kLocal || space == ptx::Space::kShared) {
    f->message = sentence("a tensor copy takes its map from local or shared memory");
    f->cause = sentence(
        "pass the map as const __grid_constant__ CUtensorMap: without these words the compiler "
        "makes a copy of it for each thread, which the copy unit cannot read");
    return;
  }
  f->message = address % kMapAlignment != 0
                   ? sentence("a tensor copy at {address}, which is not a multiple of 64",
                              {{"address", hexadecimal(address)}})
                   : sentence("a tensor copy at {address}, where there is no tensor map",
                              {{"address", hexadecimal(address)}});
  f->cause = sentence(
      "the address of another parameter or buffer, or a tensor map of which bytes were changed; "
      "give the kernel a tensor map as an argument");
}

// The map at a generic address: a parameter, or a copy of one in constant or global memory.
std::optional<TensorMap> map_at(Warp& warp, const MicroOp* op, int lane) {
  const Launch& launch = *warp.worker->launch;
  const uint64_t address = bulk_copy::address_of(warp, op, lane);
  const uint64_t offset = address & ~kWindowMask;
  const uint8_t* data = nullptr;
  const auto within = [&](const std::vector<uint8_t>& bytes) {
    return offset <= bytes.size() && bytes.size() - offset >= TensorMap::kBytes
               ? bytes.data() + offset
               : nullptr;
  };
  switch (space_of_window(address)) {
    case ptx::Space::kParam:
      data = within(launch.params);
      break;
    case ptx::Space::kConst:
      data = within(launch.program->const_image);
      break;
    case ptx::Space::kGlobal:
      flush_columns(*warp.worker);
      if (const Region* region = launch.find(address, TensorMap::kBytes))
        data = region->data + (address - region->base);
      break;
    default:
      break;
  }
  std::optional<TensorMap> map;
  if (data != nullptr && address % kMapAlignment == 0)
    map = decode_tensor_map(std::span<const uint8_t, TensorMap::kBytes>(data, TensorMap::kBytes));
  if (!map) note_no_map(warp, op, lane, address);
  if (map && map->rank != static_cast<int>(op->d)) {
    if (Finding* f =
            note_finding(warp, op, FindingKind::kTexture, ptx::Space::kGeneric, "read", lane)) {
      f->message =
          sentence("a tensor copy with {given} coordinates, but its map has {rank} dimensions",
                   {{"given", op->d}, {"rank", map->rank}});
      f->cause = sentence("give one coordinate per dimension of the map, the contiguous one first");
    }
    return std::nullopt;
  }
  return map;
}

Coordinates coordinates_of(Warp& warp, const MicroOp* op, int lane) {
  Coordinates at{};
  const RegisterList& list = warp.worker->launch->program->lists[op->b];
  for (size_t d = 0; d < list.count && d < at.size(); ++d)
    at[d] = static_cast<int32_t>(warp.reg<uint32_t>(list.offset[d])[lane]);
  return at;
}

// Visits the box's rows in the order in which they lie in shared memory.
template <typename Visit>
void each_row(const TensorMap& map, const Coordinates& at, Visit visit) {
  const auto element = static_cast<int64_t>(size_bytes(map.type));
  const int64_t first = std::max<int64_t>(at[0], 0);
  const int64_t end = std::min<int64_t>(at[0] + map.box[0], static_cast<int64_t>(map.extents[0]));
  std::array<uint32_t, 5> n{};
  for (;;) {
    bool inside = first < end;
    uint64_t address = map.base + static_cast<uint64_t>(first * element);
    for (size_t d = 1; d < static_cast<size_t>(map.rank); ++d) {
      const int64_t place = at[d] + int64_t{n[d]} * map.element_strides[d];
      inside = inside && place >= 0 && place < static_cast<int64_t>(map.extents[d]);
      address += static_cast<uint64_t>(place) * map.strides[d - 1];
    }
    Row row{.start = address - static_cast<uint64_t>((first - at[0]) * element), .global = address};
    if (inside) {
      row.skipped = static_cast<uint32_t>((first - at[0]) * element);
      row.inside = static_cast<uint32_t>((end - first) * element);
    }
    visit(row);
    size_t d = 1;
    while (d < static_cast<size_t>(map.rank) && ++n[d] == map.box_elements(static_cast<int>(d)))
      n[d++] = 0;
    if (d >= static_cast<size_t>(map.rank)) return;
  }
}

// Sectors that `bytes` bytes from there on touch.
uint32_t sectors_of(uint64_t address, uint64_t bytes) {
  constexpr uint64_t kSector = 32;
  return bytes == 0
             ? 0
             : static_cast<uint32_t>((address + bytes - 1) / kSector - address / kSector + 1);
}

int swizzle_of(const TensorMap& map) {
  return map.swizzle_bytes == 0 ? 0
                                : std::countr_zero(static_cast<unsigned>(map.swizzle_bytes)) - 4;
}

// Bytes between the box's rows in shared memory: with a swizzle, those of its span. Measured on an
// H100: narrower rows leave the rest as it was.
uint32_t pitch_of(const TensorMap& map) {
  const uint32_t row = map.box[0] * static_cast<uint32_t>(size_bytes(map.type));
  return std::max(row, static_cast<uint32_t>(map.swizzle_bytes));
}

uint64_t rows_of(const TensorMap& map) {
  return map.box_bytes() / (map.box[0] * static_cast<uint64_t>(size_bytes(map.type)));
}

// Bytes of shared memory from the box's first to its last.
uint64_t extent_of(const TensorMap& map) {
  const uint64_t row = map.box[0] * static_cast<uint64_t>(size_bytes(map.type));
  return (rows_of(map) - 1) * pitch_of(map) + row;
}

// What a load puts where the tensor has no element.
void fill_outside(const TensorMap& map, std::vector<uint8_t>& bytes) {
  if (!map.nan_outside) return;
  // Measured on an H100: these halves for every type.
  for (size_t at = 0; at < bytes.size(); at += 2) {
    bytes[at] = 0xf7;
    bytes[at + 1] = 0x7f;
  }
}

// Elements as they arrive: types of 32 bits may flush or shorten them.
void convert(const TensorMap& map, std::vector<uint8_t>& bytes) {
  if (map.type < TensorType::kF32Ftz) return;
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    uint32_t bits;
    std::memcpy(&bits, bytes.data() + at, 4);
    const bool subnormal = (bits & 0x7f800000u) == 0;
    if (map.type != TensorType::kTf32 && subnormal) bits &= 0x80000000u;
    // Rounded to nearest, unless it is an infinity or a NaN.
    if (map.type != TensorType::kF32Ftz)
      bits = ((bits & 0x7f800000u) == 0x7f800000u ? bits : bits + 0x1000u) & ~0x1fffu;
    std::memcpy(bytes.data() + at, &bits, 4);
  }
}

ptx::Type element_type(TensorType type) {
  switch (type) {
    case TensorType::kU32:
      return ptx::Type::kU32;
    case TensorType::kS32:
      return ptx::Type::kS32;
    case TensorType::kU64:
      return ptx::Type::kU64;
    case TensorType::kS64:
      return ptx::Type::kS64;
    case TensorType::kF16:
      return ptx::Type::kF16;
    case TensorType::kBf16:
      return ptx::Type::kBf16;
    case TensorType::kF64:
      return ptx::Type::kF64;
    case TensorType::kU8:
    case TensorType::kU16:
      return ptx::Type::kNone;
    default:
      return ptx::Type::kF32;
  }
}

}  // namespace

const MicroOp* place(Warp&, const MicroOp* op) { return op + 1; }

const MicroOp* load(Warp& warp, const MicroOp* op) {
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::optional<TensorMap> map = map_at(warp, op, lane);
    if (!map) continue;
    const Coordinates first = coordinates_of(warp, op, lane);
    const bool wrong = note_wrong_start(warp, op, lane, *map, first);
    const uint64_t bytes = map->box_bytes();
    BulkCopy copy;
    copy.from = map->base;
    copy.from_shared = true;  // its rows are not one range: stores to them are not watched
    copy.counted_bytes = static_cast<uint32_t>(bytes);
    copy.swizzle = swizzle_of(*map);
    copy.row_bytes = map->box[0] * static_cast<uint32_t>(size_bytes(map->type));
    copy.row_pitch = pitch_of(*map);
    const uint64_t to = bulk_copy::address_of(warp, op + 1, lane) & kMappedOffset;
    if (!wrong && (bytes <= warp.worker->launch->shared_bytes ||
                   bulk_copy::check_shared_place(warp, op + 1, AccessIntent::kWrite, lane, to,
                                                 bytes, bulk_copy::kPiece))) {
      copy.bytes.resize(bytes);
      fill_outside(*map, copy.bytes);
      if (PathSink* path = warp.worker->path) {
        path->on_bulk_copy(warp.block->linear, warp.index, op->site,
                           bulk_copy::address_of(warp, op + 2, lane) & kMappedOffset);
      }
      size_t at = 0;
      bool good = true;
      uint32_t outside = 0;  // sectors
      const auto row_bytes =
          static_cast<size_t>(map->box[0]) * static_cast<size_t>(size_bytes(map->type));
      each_row(*map, first, [&](const Row& row) {
        if (good && row.inside > 0) {
          good = bulk_copy::read_source(warp, op, lane, row.global,
                                        copy.bytes.data() + at + row.skipped, row.inside,
                                        size_bytes(map->type));
          if (good) bulk_copy::report_to_models(warp, op, row.global, row.inside);
        }
        // The chip counts what arrives as zeros, too (tests/hardware/asynchronous).
        outside += sectors_of(row.start, row_bytes) - sectors_of(row.global, row.inside);
        at += row_bytes;
      });
      if (warp.worker->sink != nullptr && outside > 0)
        warp.worker->sink->on_box_outside(op->site, outside);
      if (good) convert(*map, copy.bytes);
      if (!good) copy.bytes.clear();
    }
    bulk_copy::send(warp, op, lane, std::move(copy), kBoxAlignment);
  }
  return op + 3;
}

const MicroOp* store(Warp& warp, const MicroOp* op) {
  const MicroOp* const to = op + 1;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::optional<TensorMap> map = map_at(warp, to, lane);
    if (!map) continue;
    const Coordinates first = coordinates_of(warp, to, lane);
    if (note_wrong_start(warp, to, lane, *map, first) ||
        note_before_start(warp, to, lane, *map, first))
      continue;
    BulkStore store;
    store.op = to;
    store.lane = lane;
    store.from = bulk_copy::address_of(warp, op, lane);
    store.from_bytes = static_cast<uint32_t>(extent_of(*map));
    store.element_bytes = size_bytes(map->type);
    if (op->e != 0) {
      store.reduction =
          find_reduction(static_cast<AtomicOperation>(op->e - 1), element_type(map->type));
      if (store.reduction == nullptr) {
        if (Finding* f = note_finding(warp, op, FindingKind::kTexture, ptx::Space::kGlobal,
                                      "atomic", lane)) {
          f->message = sentence("this reduction does not exist for a tensor of {type}",
                                {{"type", name_of(map->type)}});
          f->cause = sentence("use a tensor map of a type that the reduction has");
        }
        continue;
      }
    }
    if (bulk_copy::note_wrong_place(warp, op, ptx::Space::kShared, AccessIntent::kRead, lane,
                                    store.from, kBoxAlignment) ||
        !bulk_copy::check_shared_place(warp, op, AccessIntent::kRead, lane, store.from,
                                       store.from_bytes, bulk_copy::kPiece))
      continue;
    check_proxy_writes(warp, op, lane, store.from, store.from_bytes);
    store.bytes.resize(map->box_bytes());
    const uint32_t row_bytes = map->box[0] * static_cast<uint32_t>(size_bytes(map->type));
    bool good = true;
    for (uint64_t row = 0; good && row < rows_of(*map); ++row) {
      good = bulk_copy::read_source(warp, op, lane, store.from + row * pitch_of(*map),
                                    store.bytes.data() + row * row_bytes, row_bytes,
                                    bulk_copy::kPiece, swizzle_of(*map));
    }
    if (!good) continue;
    convert(*map, store.bytes);
    uint32_t at = 0;
    each_row(*map, first, [&](const Row& row) {
      // Measured on an H100: whole pieces of 16 bytes are written, also beyond the row's end.
      const uint32_t bytes =
          (row.inside + bulk_copy::kPiece - 1) / bulk_copy::kPiece * bulk_copy::kPiece;
      if (row.inside > 0) store.pieces.push_back({row.global, at + row.skipped, bytes});
      at += row_bytes;
    });
    bulk_copy::add_store(warp, std::move(store));
  }
  return op + 2;
}

}  // namespace warpshop::emulator::tensor_copy
