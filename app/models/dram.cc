#include "models/dram.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace warpshop::models {
namespace {

constexpr uint32_t kAssumedBurstBytes = 32;  // the same for GDDR5, GDDR6, HBM2 and HBM3
constexpr int kAssumedBanks = 16;            // a simulator's choice from Kepler to Ampere
constexpr uint32_t kAssumedRowBytes = 2048;  // a simulator's choice for GT200
constexpr int kAssumedBurstSteps = 8;        // DDR3 and GDDR5: eight times
constexpr double kAssumedRowNanoseconds = 40;
constexpr double kAssumedDataRate = 2;  // 10^9 transfers per second

void add_note(DramSpec* spec, Sentence text) { spec->note.then(std::move(text), "; "); }

template <typename T>
T known_or_assumed(DramSpec* spec, const GpuProfile& gpu, const std::optional<T>& value,
                   T assumed_value, const char* key, const Sentence& what) {
  const auto source = gpu.sources.find(key);
  if (value && source != gpu.sources.end() && source->second.is_assumed()) {
    add_note(spec, sentence("{what} is assumed", {{"what", what}}));
  }
  if (value) return *value;
  add_note(spec, sentence("{what} is unknown: {value} assumed",
                          {{"what", what}, {"value", assumed_value}}));
  return assumed_value;
}

}  // namespace

DramSpec dram_of(const GpuProfile& gpu) {
  DramSpec spec;
  spec.channels = partition_map_of(gpu);
  spec.note = spec.channels.note;
  spec.burst_bytes = known_or_assumed(&spec, gpu, gpu.burst_bytes, kAssumedBurstBytes,
                                      "burst_bytes", sentence("the burst size in bytes"));
  spec.banks = known_or_assumed(&spec, gpu, gpu.dram_banks, kAssumedBanks, "dram_banks",
                                sentence("the number of banks"));
  spec.row_bytes = known_or_assumed(&spec, gpu, gpu.dram_row_bytes, kAssumedRowBytes,
                                    "dram_row_bytes", sentence("the row size in bytes"));
  if (gpu.channel_bits) {
    spec.burst_steps =
        std::max(1, static_cast<int>(spec.burst_bytes) * 8 / std::max(1, *gpu.channel_bits));
  } else {
    spec.burst_steps = kAssumedBurstSteps;
    add_note(&spec, sentence("the channel's width is unknown: 8 transfers per burst are assumed"));
  }
  const double rate = gpu.data_rate_gbps.value_or(kAssumedDataRate);
  spec.row_steps = static_cast<uint32_t>(std::lround(kAssumedRowNanoseconds * rate));
  add_note(&spec, sentence("40 ns to open a row and the order of rows in the banks are assumed"));
  return spec;
}

DramPlace dram_place_of(const DramSpec& spec, uint64_t address) {
  const uint64_t block = address / spec.channels.bytes;
  const uint64_t local = block / static_cast<uint64_t>(spec.channels.count) * spec.channels.bytes +
                         address % spec.channels.bytes;
  const uint64_t row = local / spec.row_bytes;
  const auto banks = static_cast<uint64_t>(spec.banks);
  return {.channel = partition_of(spec.channels, address),
          .bank = static_cast<int>(row % banks),
          .row = row / banks,
          .column = static_cast<uint32_t>(local % spec.row_bytes)};
}

// --- Bursts of one warp request ---

uint32_t BurstSection::bytes_used() const {
  int bytes = 0;
  for (const uint64_t word : used) bytes += std::popcount(word);
  return static_cast<uint32_t>(bytes);
}

uint64_t BurstResult::bytes_used() const {
  uint64_t bytes = 0;
  for (const BurstSection& section : sections) bytes += section.bytes_used();
  return bytes;
}

uint64_t BurstResult::ideal_sections() const {
  return (bytes_used() + burst_bytes - 1) / burst_bytes;
}

bool BurstResult::is_fully_coalesced() const { return sections.size() <= ideal_sections(); }

BurstResult explain_bursts(const DramSpec& spec, const WarpRequest& request) {
  assert(spec.burst_bytes <= kMaxBurstBytes && std::has_single_bit(spec.burst_bytes));
  std::map<uint64_t, BurstSection> sections;
  for (uint32_t left = request.active_mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint64_t first = request.address[static_cast<size_t>(lane)];
    for (uint64_t byte = first; byte < first + request.width_bytes; ++byte) {
      const uint64_t begin = byte - byte % spec.burst_bytes;
      BurstSection& section = sections[begin];
      const uint64_t at = byte - begin;
      section.lanes |= 1U << lane;
      section.used[at / 64] |= uint64_t{1} << (at % 64);
    }
  }
  BurstResult result{.sections = {}, .burst_bytes = spec.burst_bytes};
  result.sections.reserve(sections.size());
  for (auto& [address, section] : sections) {
    section.address = address;
    section.place = dram_place_of(spec, address);
    result.sections.push_back(section);
  }
  return result;
}

// --- Service over time ---

double DramService::row_hit_fraction() const {
  const uint64_t all = row_hits + row_misses;
  return all == 0 ? 1 : static_cast<double>(row_hits) / static_cast<double>(all);
}

uint64_t DramService::end_step() const {
  uint64_t end = 0;
  for (const ChannelService& channel : channels) end = std::max(end, channel.end_step);
  return end;
}

double DramService::interface_use() const {
  const uint64_t end = end_step();
  if (end == 0) return 0;
  uint64_t busy = 0;
  for (const ChannelService& channel : channels) busy += channel.busy_steps;
  return static_cast<double>(busy) /
         (static_cast<double>(end) * static_cast<double>(channels.size()));
}

namespace {

struct Bank {
  bool open = false;
  uint64_t row = 0;
  uint64_t free_at = 0;  // earliest step at which the bank can open another row
};

// The banks and interfaces of all channels, simulated burst by burst.
class Memory {
 public:
  explicit Memory(const DramSpec& spec)
      : spec_(spec),
        banks_(static_cast<size_t>(spec.channels.count * spec.banks)),
        channels_(static_cast<size_t>(spec.channels.count)) {}

  bool is_open(const DramPlace& place) const {
    const Bank& bank = bank_of(place);
    return bank.open && bank.row == place.row;
  }

  void serve(ServedBurst* burst) {
    Bank& bank = banks_[index(burst->place)];
    ChannelService& channel = channels_[static_cast<size_t>(burst->place.channel)];
    burst->row = is_open(burst->place) ? RowState::kHit
                 : bank.open           ? RowState::kConflict
                                       : RowState::kEmpty;
    const bool hit = burst->row == RowState::kHit;
    burst->core_begin = bank.free_at;
    const uint64_t ready = bank.free_at + (hit ? 0 : spec_.row_steps);
    const auto steps = static_cast<uint64_t>(spec_.burst_steps);
    burst->transfer_begin = std::max(ready, channel.end_step);
    burst->transfer_end = burst->transfer_begin + steps;
    bank.open = true;
    bank.row = burst->place.row;
    bank.free_at = burst->transfer_end;
    channel.end_step = burst->transfer_end;
    channel.busy_steps += steps;
    ++channel.bursts;
    channel.row_hits += hit ? 1 : 0;
  }

  std::vector<ChannelService> channels() && { return std::move(channels_); }

 private:
  size_t index(const DramPlace& place) const {
    return static_cast<size_t>(place.channel * spec_.banks + place.bank);
  }
  const Bank& bank_of(const DramPlace& place) const { return banks_[index(place)]; }

  const DramSpec& spec_;
  std::vector<Bank> banks_;
  std::vector<ChannelService> channels_;
};

// One window's bursts in service order: first those whose row is open, then row by row, alternating
// between banks so that one opens while another transfers.
std::vector<size_t> service_order(const Memory& memory, std::span<const ServedBurst> window) {
  struct Row {
    bool open = false;
    int turn = 0;      // number of rows of the same bank served before it
    size_t first = 0;  // index of its first burst
    std::vector<size_t> bursts;
  };
  using Key = std::tuple<int, int, uint64_t>;  // channel, bank, row
  std::map<Key, Row> rows;
  for (size_t i = 0; i < window.size(); ++i) {
    const DramPlace& place = window[i].place;
    Row& row = rows[{place.channel, place.bank, place.row}];
    if (row.bursts.empty()) {
      row.first = i;
      row.open = memory.is_open(place);
    }
    row.bursts.push_back(i);
  }
  std::vector<Row*> order;
  std::map<std::pair<int, int>, std::vector<Row*>> banks;
  for (auto& [key, row] : rows) banks[{std::get<0>(key), std::get<1>(key)}].push_back(&row);
  for (auto& [bank, of_bank] : banks) {
    std::sort(of_bank.begin(), of_bank.end(), [](const Row* a, const Row* b) {
      return a->open != b->open ? a->open : a->first < b->first;
    });
    for (size_t i = 0; i < of_bank.size(); ++i) {
      of_bank[i]->turn = static_cast<int>(i);
      order.push_back(of_bank[i]);
    }
  }
  std::sort(order.begin(), order.end(), [](const Row* a, const Row* b) {
    if (a->open != b->open) return a->open;
    return a->turn != b->turn ? a->turn < b->turn : a->first < b->first;
  });
  std::vector<size_t> bursts;
  bursts.reserve(window.size());
  for (const Row* row : order) bursts.insert(bursts.end(), row->bursts.begin(), row->bursts.end());
  return bursts;
}

}  // namespace

DramService serve_dram(const DramSpec& spec, std::span<const MemoryRecord> records,
                       uint64_t window_length, bool keep_bursts) {
  DramService service{.spec = spec, .bursts = {}, .channels = {}};
  const uint64_t length = std::max<uint64_t>(window_length, 1);
  std::vector<size_t> by_time(records.size());
  std::iota(by_time.begin(), by_time.end(), size_t{0});
  std::stable_sort(by_time.begin(), by_time.end(), [&](size_t a, size_t b) {
    return records[a].time / length < records[b].time / length;
  });
  Memory memory(spec);
  std::vector<ServedBurst> window;
  const auto serve_window = [&] {
    for (const size_t i : service_order(memory, window)) {
      memory.serve(&window[i]);
      ++(window[i].row == RowState::kHit ? service.row_hits : service.row_misses);
      if (keep_bursts) service.bursts.push_back(window[i]);
    }
    window.clear();
  };
  for (size_t n = 0; n < by_time.size(); ++n) {
    const MemoryRecord& record = records[by_time[n]];
    if (n > 0 && record.time / length != records[by_time[n - 1]].time / length) serve_window();
    if (record.bytes == 0) continue;
    const uint64_t last = (record.address + record.bytes - 1) / spec.burst_bytes;
    for (uint64_t section = record.address / spec.burst_bytes; section <= last; ++section) {
      const uint64_t address = section * spec.burst_bytes;
      window.push_back({.address = address,
                        .time = record.time,
                        .block = record.block,
                        .from = record.from,
                        .place = dram_place_of(spec, address)});
    }
  }
  serve_window();
  service.channels = std::move(memory).channels();
  return service;
}

}  // namespace warpshop::models
