#include "whole_chip/chip_memory.h"

#include <algorithm>
#include <bit>

namespace warpshop::timing {
namespace {

constexpr size_t kL2Ways = 16;
constexpr uint64_t kOfOthers = uint64_t{1} << 50;  // tags of lines that no kernel accesses
constexpr double kSliceBacklog = 256;              // cycles of requests queued at a slice of L2

}  // namespace

ChipMemory::ChipMemory(const WholeChipFigures& chip)
    : chip_(chip),
      dram_(chip),
      ports_(static_cast<size_t>((chip.sm_count + chip.sms_per_port - 1) / chip.sms_per_port)) {
  if (chip.l2_bytes == 0) {
    if (chip.texture_l2.bytes > 0) {
      texture_l2_.assign(static_cast<size_t>(chip.partitions.count), TextureCache(chip.texture_l2));
    }
    return;
  }
  const auto slices = static_cast<size_t>(chip.partitions.count);
  slice_free_.assign(slices, 0.0);
  slice_busy_.assign(slices, 0.0);
  sets_ = std::max<size_t>(1, chip.l2_bytes / 128 / kL2Ways);
  lines_.resize(sets_ * kL2Ways);
}

ChipMemory::Line& ChipMemory::line_of(uint64_t tag, double at) {
  const uint64_t mixed = (tag ^ tag >> 9 ^ tag >> 17) * 0x9e3779b97f4a7c15U;
  Line* const set = &lines_[static_cast<size_t>(mixed >> 32) % sets_ * kL2Ways];
  Line* oldest = set;
  for (size_t w = 0; w < kL2Ways; ++w) {
    if (set[w].tag == tag) return set[w];
    if (set[w].used < oldest->used) oldest = &set[w];
  }
  if (oldest->dirty != 0) {
    dram_.ask(oldest->tag * 128,
              static_cast<uint32_t>(std::popcount(static_cast<unsigned>(oldest->dirty))) * 32, at,
              true);
  }
  *oldest = {.tag = tag};
  return *oldest;
}

double ChipMemory::through_l2(double at, uint64_t line, uint8_t sectors, Kind kind) {
  const auto slice = static_cast<size_t>(models::partition_of(chip_.partitions, line * 128));
  const auto count = static_cast<double>(std::popcount(static_cast<unsigned>(sectors)));
  const bool loads = brings(kind);
  const double cost = loads                  ? chip_.l2_read + chip_.l2_read_sector * (count - 1)
                      : kind == Kind::kStore ? chip_.l2_write + chip_.l2_write_sector * (count - 1)
                                             : chip_.l2_atomic;
  const double start = std::max(at, slice_free_[slice]);
  slice_free_[slice] = start + cost;
  slice_busy_[slice] += cost;
  Line& entry = line_of(line, start);
  entry.used = ++clock_;
  double data = start + chip_.l2_latency;
  const auto missing = static_cast<uint8_t>(sectors & ~entry.there);
  if (loads) {
    flow_.l2_read_sectors += count;
    flow_.l2_read_misses += std::popcount(static_cast<unsigned>(missing));
  }
  if (missing != 0 && kind != Kind::kStore) {
    const auto bytes = static_cast<uint32_t>(std::popcount(static_cast<unsigned>(missing))) * 32;
    const double done = dram_.ask(line * 128, bytes, start, false);
    data = std::max(data, done - bytes * chip_.byte_cycles + chip_.memory_latency);
  }
  entry.there |= sectors;
  if (!loads) entry.dirty |= sectors;
  return data;
}

// The second level of the texture cache is located at the partitions.
double ChipMemory::through_texture_l2(double at, uint64_t address) {
  const uint64_t bytes = chip_.texture_l2.line_bytes;
  TextureCache& cache =
      texture_l2_[static_cast<size_t>(models::partition_of(chip_.partitions, address))];
  // Sets are indexed by the address within the partition.
  const models::PartitionMap& map = chip_.partitions;
  const uint64_t local =
      address / map.bytes / static_cast<uint64_t>(map.count) * map.bytes + address % map.bytes;
  flow_.texture_l2_lookups += 1;
  if (const double* there = cache.find(local)) {
    flow_.texture_l2_hits += 1;
    return std::max(at + chip_.texture_l2_latency, *there);
  }
  const double served = dram_.ask(address / bytes * bytes, static_cast<uint32_t>(bytes), at, false);
  const double done =
      served - static_cast<double>(bytes) * chip_.byte_cycles + chip_.texture_dram_latency;
  cache.bring(local, done);
  return done;
}

void ChipMemory::keep_in_l2(uint64_t line) {
  Line& entry = line_of(line, 0);
  entry.there = 15;
  entry.used = ++clock_;
}

void ChipMemory::fill_l2(double stored_part) {
  double stored = 0;
  for (size_t n = 0; n < lines_.size(); ++n) {
    stored += stored_part;
    const bool dirty = stored >= 1;
    if (dirty) stored -= 1;
    // Scattered over the sets, and never requested.
    lines_[n] = {.tag = kOfOthers + (n * 2654435761U) % (uint64_t{1} << 31),
                 .there = 15,
                 .dirty = dirty ? uint8_t{15} : uint8_t{0}};
  }
}

void ChipMemory::ask(int number, double now, uint64_t ticket, Kind kind, const Piece* pieces,
                     size_t count, size_t idle) {
  Port& port = ports_[static_cast<size_t>(number)];
  auto place = port.queue.end();
  if (kind == Kind::kFetch && !port.queue.empty()) {
    place = std::find_if(port.queue.begin() + 1, port.queue.end(),
                         [](const Access& other) { return other.kind != Kind::kFetch; });
  }
  port.queue.insert(place, {.ticket = ticket,
                            .kind = kind,
                            .pieces = pieces,
                            .count = count,
                            .idle = idle,
                            .asked = now,
                            .done = now});
  port.waiting += count;
  if (port.queue.size() == 1) port.next = std::max(now, port.free);
}

// When the queues needed by the access's next piece have room.
double ChipMemory::room_for(const Access& access, double now) const {
  const uint64_t address = access.pieces[access.at].address();
  double at = dram_.accepts(address, now);
  if (chip_.l2_bytes > 0) {
    const auto slice = static_cast<size_t>(models::partition_of(chip_.partitions, address));
    at = std::max(at, slice_free_[slice] - kSliceBacklog);
  }
  return at;
}

void ChipMemory::pass(Access& access, double now) {
  const Piece* pieces = access.pieces;
  double& moved = brings(access.kind)           ? flow_.read_bytes
                  : access.kind == Kind::kStore ? flow_.write_bytes
                                                : flow_.atomic_bytes;
  const uint64_t address = pieces[access.at].address();
  if (chip_.l2_bytes == 0) {
    const uint32_t bytes = pieces[access.at].bytes();
    moved += bytes;
    if (access.kind == Kind::kFetch && !texture_l2_.empty()) {
      access.done = std::max(access.done, through_texture_l2(now, address));
      ++access.at;
      return;
    }
    const double served = dram_.ask(address, bytes, now, !brings(access.kind));
    access.done = std::max(access.done, served - bytes * chip_.byte_cycles + chip_.memory_latency);
    ++access.at;
    return;
  }
  // Pieces of the same line go to L2 together; pieces of an atomic are separate visits.
  uint8_t sectors = 0;
  do {
    const Piece& piece = pieces[access.at];
    for (uint32_t s = 0; s < piece.bytes() / 32; ++s) {
      sectors |= static_cast<uint8_t>(1U << ((piece.address() / 32 + s) % 4));
    }
    ++access.at;
  } while (access.kind != Kind::kAtomic && access.at < access.count &&
           pieces[access.at].address() / 128 == address / 128);
  moved += std::popcount(static_cast<unsigned>(sectors)) * 32;
  access.done = std::max(access.done, through_l2(now, address / 128, sectors, access.kind));
}

std::optional<ChipMemory::Finished> ChipMemory::step(int number, double now) {
  Port& port = ports_[static_cast<size_t>(number)];
  Access& access = port.queue.front();
  // Reserves its place in the queue now; the port continues when the place is free, so ports
  // waiting for the same queue take turns.
  const double room = room_for(access, now);
  const size_t before = access.at;
  pass(access, room);
  const size_t passed = access.at - before;
  port.waiting -= passed;
  totals_.pieces += static_cast<double>(passed);
  port.free = room + chip_.memory_pipe;
  std::optional<Finished> finished;
  if (access.at == access.count) {
    port.free += static_cast<double>(access.idle) * chip_.memory_pipe;
    totals_.idle += static_cast<double>(access.idle);
    const bool stores = access.kind == Kind::kStore;
    finished = {access.ticket, stores ? port.free : access.done};
    if (access.kind == Kind::kLoad) {
      totals_.loads += 1;
      totals_.load_latency += access.done - access.asked;
      for (size_t i = 0; i < access.count; ++i) {
        totals_.byte_cycles += access.pieces[i].bytes() * (access.done - access.asked);
      }
    }
    port.queue.pop_front();
  }
  port.next = port.queue.empty() ? std::numeric_limits<double>::infinity() : port.free;
  return finished;
}

double ChipMemory::drained() const {
  double last = dram_.drained();
  for (const Port& port : ports_) last = std::max(last, port.free);
  for (const double free : slice_free_) last = std::max(last, free);
  return last;
}

ChipMemoryTotals ChipMemory::totals() const {
  ChipMemoryTotals totals = totals_;
  for (const double busy : slice_busy_) totals.l2_busy = std::max(totals.l2_busy, busy);
  return totals;
}

MemoryFlow ChipMemory::flow() const {
  MemoryFlow flow = flow_;
  flow.has_l2 = chip_.l2_bytes > 0;
  flow.has_texture_l2 = !texture_l2_.empty();
  flow.dram_read_bytes = dram_.bytes(false);
  flow.dram_write_bytes = dram_.bytes(true);
  return flow;
}

}  // namespace warpshop::timing
