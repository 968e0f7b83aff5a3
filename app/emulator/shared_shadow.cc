#include "shared_shadow.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace warpshop::emulator {
namespace {

constexpr uint64_t kSeveral = 4;
constexpr uint64_t kMany = 2;
constexpr uint64_t kAtomic = 1;
constexpr size_t kMaxHazards = 32;

uint32_t thread_of(uint64_t tag) { return static_cast<uint32_t>(tag >> 3) & 0x3ffu; }
uint32_t order_of(uint64_t tag) { return static_cast<uint32_t>(tag >> 13) & 0x7ffffu; }

// Threads whose accesses in one barrier interval nothing orders: of different warps, or of one warp with no
// __syncwarp between.
bool unordered(const ShadowWarp& warp, uint32_t thread, uint64_t other) {
  if (thread_of(other) == thread) return false;
  if (thread_of(other) / 32 != thread / 32) return true;
  return !warp.lockstep && order_of(other) == (warp.order & 0x7ffffu);
}

}  // namespace

void SharedShadow::configure(uint32_t size_bytes, uint32_t granule_bytes) {
  shift_ = granule_bytes == 1 ? 0 : 2;
  const size_t granules = (size_bytes >> shift_) + 1;
  writes_.assign(granules, 0);
  reads_.assign(granules, 0);
  write_instructions_.assign(granules, -1);
  read_instructions_.assign(granules, -1);
  first_stamp_ = stamp_ = 1;
}

void SharedShadow::start_block() { first_stamp_ = ++stamp_; }

void SharedShadow::read_granule(const ShadowWarp& warp, int lane, uint64_t granule, int32_t instruction,
                                std::vector<Hazard>& hazards) {
  const uint64_t mine = tag(warp, lane);
  const uint32_t thread = thread_of(mine);
  const uint64_t write = writes_[granule];
  if (is_now(write) && unordered(warp, thread, write) && hazards.size() < kMaxHazards) {
    hazards.push_back({.lane = lane,
                       .address = granule << shift_,
                       .other_thread = thread_of(write),
                       .other_instruction = write_instructions_[granule],
                       .other_wrote = true});
  }
  const uint64_t read = reads_[granule];
  uint64_t next = mine;
  if (is_now(read)) {
    next |= read & kMany;
    if (thread_of(read) / 32 != thread / 32) {
      next |= kMany;
    } else if (order_of(read) == order_of(mine) && (thread_of(read) != thread || (read & kSeveral))) {
      next |= kSeveral;
    }
  }
  reads_[granule] = next;
  read_instructions_[granule] = instruction;
}

void SharedShadow::write_granule(const ShadowWarp& warp, int lane, uint64_t granule, int32_t instruction, bool atomic,
                                 std::vector<Hazard>& hazards) {
  const uint64_t mine = tag(warp, lane) | (atomic ? kAtomic : 0);
  const uint32_t thread = thread_of(mine);
  const uint64_t read = reads_[granule];
  if (is_now(read) && hazards.size() < kMaxHazards) {
    const bool several_here = !warp.lockstep && (read & kSeveral) && order_of(read) == order_of(mine);
    if ((read & kMany) || unordered(warp, thread, read) || several_here) {
      hazards.push_back({.lane = lane,
                         .address = granule << shift_,
                         .other_thread = thread_of(read),
                         .other_instruction = read_instructions_[granule],
                         .other_wrote = false});
    }
  }
  const uint64_t write = writes_[granule];
  if (is_now(write) && !(atomic && (write & kAtomic)) && hazards.size() < kMaxHazards) {
    // Two lanes of one instruction are never ordered, whatever the chip.
    const bool same_instruction = thread_of(write) != thread && thread_of(write) / 32 == thread / 32 &&
                                  order_of(write) == order_of(mine) && write_instructions_[granule] == instruction;
    if (unordered(warp, thread, write) || same_instruction) {
      hazards.push_back({.lane = lane,
                         .address = granule << shift_,
                         .other_thread = thread_of(write),
                         .other_instruction = write_instructions_[granule],
                         .other_wrote = true,
                         .needs_values = !atomic && !(write & kAtomic)});
    }
  }
  writes_[granule] = mine;
  write_instructions_[granule] = instruction;
}

// The usual case in one pass over 32 neighbouring granules, lane l at first + l: nobody has written them since the
// barrier. False when somebody has, and nothing is changed.
bool SharedShadow::read_run(const ShadowWarp& warp, uint64_t first, int32_t instruction) {
  const uint64_t* writes = writes_.data() + first;
  uint64_t latest = 0;
  for (int lane = 0; lane < 32; ++lane) latest = std::max(latest, writes[lane]);
  if (is_now(latest)) return false;
  uint64_t* reads = reads_.data() + first;
  const uint64_t base = tag(warp, 0);
  const uint64_t now = uint64_t{stamp_} << 32;
  const uint64_t my_warp = base >> 8;      // stamp, order and warp: equal when the same warp read at this order
  for (uint64_t lane = 0; lane < 32; ++lane) {
    const uint64_t read = reads[lane];
    const uint64_t mine = base + (lane << 3);
    const bool before = read >= now;
    const bool same_place = (read >> 8) == my_warp;
    const bool same_warp = ((read >> 8) & 0x1fu) == (my_warp & 0x1fu);
    uint64_t flags = before ? (read & kMany) : 0;
    flags |= before && !same_warp ? kMany : 0;
    flags |= same_place && (((read ^ mine) & 0xf8u) != 0 || (read & kSeveral)) ? kSeveral : 0;
    reads[lane] = mine | flags;
  }
  std::fill_n(read_instructions_.begin() + static_cast<ptrdiff_t>(first), 32, instruction);
  return true;
}

void SharedShadow::on_read(const ShadowWarp& warp, const uint64_t* address, uint32_t mask, int bytes,
                           int32_t instruction, std::vector<Hazard>& hazards) {
  const uint64_t count = static_cast<uint64_t>(bytes) >> shift_;
  if (mask == 0xffffffffu && count == 1 && address[31] - address[0] == 31u * static_cast<uint64_t>(bytes)) {
    bool run = true;
    for (uint64_t lane = 0; lane < 32; ++lane) run = run && address[lane] == address[0] + lane * static_cast<uint64_t>(bytes);
    if (run && read_run(warp, address[0] >> shift_, instruction)) return;
  }
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t granule = address[lane] >> shift_;
    for (uint64_t g = 0; g < count; ++g) read_granule(warp, lane, granule + g, instruction, hazards);
  }
}

void SharedShadow::on_write(const ShadowWarp& warp, const uint64_t* address, uint32_t mask, int bytes,
                            int32_t instruction, bool atomic, std::vector<Hazard>& hazards) {
  const uint64_t count = static_cast<uint64_t>(bytes) >> shift_;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t granule = address[lane] >> shift_;
    for (uint64_t g = 0; g < count; ++g) write_granule(warp, lane, granule + g, instruction, atomic, hazards);
  }
}

uint32_t SharedShadow::unwritten(const uint64_t* address, uint32_t mask, int bytes) const {
  const uint64_t count = static_cast<uint64_t>(bytes) >> shift_;
  const uint64_t first = uint64_t{first_stamp_} << 32;
  uint32_t lanes = 0;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t granule = address[lane] >> shift_;
    for (uint64_t g = 0; g < count; ++g) {
      if (writes_[granule + g] < first) lanes |= 1u << lane;
    }
  }
  return lanes;
}

}  // namespace warpshop::emulator
