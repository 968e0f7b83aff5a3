#include "models/partitions.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

namespace warpshop::models {
namespace {

constexpr int kAssumedCount = 8;
constexpr uint32_t kAssumedBytes = 256;
constexpr uint64_t kHashSteps = 4096;  // steps examined to find what a stride hits under a hash

void add_note(PartitionMap* map, Sentence text) { map->note.then(std::move(text), "; "); }

bool assumed(const GpuProfile& gpu, const char* key) {
  const auto found = gpu.sources.find(key);
  return found != gpu.sources.end() && found->second.is_assumed();
}

}  // namespace

PartitionMap partition_map_of(const GpuProfile& gpu) {
  PartitionMap map;
  map.count = gpu.partition_count.value_or(kAssumedCount);
  map.bytes = gpu.partition_bytes.value_or(kAssumedBytes);
  // Hashing came with Fermi (2.0); a profile may override this.
  map.hashed =
      gpu.partition_mapping.empty() ? gpu.capability.major >= 2 : gpu.partition_mapping == "hashed";
  map.illustration = map.hashed;
  if (map.hashed) {
    add_note(&map, sentence("the mapping from addresses to partitions is not published: an XOR "
                            "fold is used as an illustration"));
  }
  if (!gpu.partition_count) {
    add_note(&map, sentence("the number of partitions is unknown: 8 assumed"));
  } else if (assumed(gpu, "partition_count")) {
    add_note(&map, sentence("the number of partitions is assumed"));
  }
  if (!gpu.partition_bytes) {
    add_note(&map, sentence("256 bytes per partition are assumed"));
  } else if (assumed(gpu, "partition_bytes")) {
    add_note(&map, sentence("the number of bytes per partition is assumed"));
  }
  return map;
}

int partition_of(const PartitionMap& map, uint64_t address) {
  const auto count = static_cast<uint64_t>(map.count);
  const uint64_t block = address / map.bytes;
  uint64_t column = block % count;
  if (!map.hashed) return static_cast<int>(column);
  // Folds the digits of the row number (base 2^bits) into one, which permutes the row's columns.
  uint64_t bits = 1;
  while ((uint64_t{1} << bits) < count) ++bits;
  uint64_t fold = 0;
  for (uint64_t row = block / count; row != 0; row >>= bits) fold ^= row & ((1ULL << bits) - 1);
  const bool power_of_two = (count & (count - 1)) == 0;
  column = power_of_two ? column ^ fold : (column + fold) % count;
  return static_cast<int>(column % count);
}

// --- Load over time ---

uint64_t PartitionWindow::busiest() const {
  return bytes.empty() ? 0 : *std::max_element(bytes.begin(), bytes.end());
}

uint64_t PartitionWindow::total() const {
  return std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
}

double PartitionLoad::slowdown() const {
  uint64_t longest = 0;
  uint64_t total = 0;
  for (const PartitionWindow& window : windows) {
    longest += window.busiest();
    total += window.total();
  }
  return total == 0 ? 1 : static_cast<double>(longest) * map.count / static_cast<double>(total);
}

PartitionLoad partition_load(const PartitionMap& map, std::span<const MemoryRecord> records,
                             uint64_t window_length) {
  PartitionLoad load{.map = map,
                     .window_length = std::max<uint64_t>(window_length, 1),
                     .windows = {},
                     .bytes = {}};
  const auto count = static_cast<size_t>(map.count);
  load.bytes.assign(count, 0);
  std::map<uint64_t, std::vector<uint64_t>> windows;
  for (const MemoryRecord& record : records) {
    std::vector<uint64_t>& window = windows[record.time / load.window_length];
    window.resize(count);
    uint64_t at = record.address;
    uint64_t left = record.bytes;
    while (left != 0) {
      const uint64_t here = std::min<uint64_t>(left, map.bytes - at % map.bytes);
      const auto partition = static_cast<size_t>(partition_of(map, at));
      window[partition] += here;
      load.bytes[partition] += here;
      at += here;
      left -= here;
    }
  }
  for (auto& [number, bytes] : windows) {
    load.windows.push_back({.begin = number * load.window_length, .bytes = std::move(bytes)});
  }
  return load;
}

// --- Camping ---

int partitions_reached(const PartitionMap& map, uint64_t stride_bytes) {
  std::set<int> reached;
  // A linear map repeats after count × bytes / gcd(…, stride) steps.
  const uint64_t period = static_cast<uint64_t>(map.count) * map.bytes;
  const uint64_t steps =
      map.hashed ? kHashSteps : period / std::gcd(period, std::max<uint64_t>(stride_bytes, 1));
  for (uint64_t i = 0; i < steps && reached.size() < static_cast<size_t>(map.count); ++i) {
    reached.insert(partition_of(map, i * stride_bytes));
  }
  return static_cast<int>(reached.size());
}

std::vector<uint64_t> strides_without_camping(const PartitionMap& map, uint64_t stride_bytes,
                                              uint32_t unit_bytes, int how_many) {
  std::vector<uint64_t> strides;
  // Offsets consecutive blocks by a whole partition, so that as many blocks as there are partitions
  // hit all of them. Offsetting them by one more element would take hundreds of blocks, far more
  // than run together.
  const uint64_t unit = std::lcm<uint64_t>(std::max<uint32_t>(unit_bytes, 1), map.bytes);
  const uint64_t last = stride_bytes + 2 * static_cast<uint64_t>(map.count) * unit;
  for (uint64_t stride = (stride_bytes + unit - 1) / unit * unit;
       stride <= last && strides.size() < static_cast<size_t>(how_many); stride += unit) {
    if (partitions_reached(map, stride) == map.count) strides.push_back(stride);
  }
  return strides;
}

namespace {

// Histogram of the distances between corresponding accesses of consecutive blocks within a window.
std::map<uint64_t, uint64_t> distances(std::span<const MemoryRecord> records,
                                       uint64_t window_length) {
  // window → block → addresses in order
  std::map<uint64_t, std::map<uint64_t, std::vector<uint64_t>>> windows;
  for (const MemoryRecord& record : records) {
    windows[record.time / window_length][record.block].push_back(record.address);
  }
  std::map<uint64_t, uint64_t> how_often;
  for (const auto& [number, blocks] : windows) {
    const std::vector<uint64_t>* before = nullptr;
    for (const auto& [block, addresses] : blocks) {
      if (before != nullptr) {
        for (size_t i = 0; i < std::min(before->size(), addresses.size()); ++i) {
          const uint64_t a = (*before)[i];
          const uint64_t b = addresses[i];
          ++how_often[a < b ? b - a : a - b];
        }
      }
      before = &addresses;
    }
  }
  return how_often;
}

std::string bytes_text(uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

}  // namespace

CampingReport find_camping(const PartitionMap& map, std::span<const MemoryRecord> records,
                           uint64_t window_length, uint32_t element_bytes) {
  CampingReport report;
  const uint64_t length = std::max<uint64_t>(window_length, 1);
  report.slowdown = partition_load(map, records, length).slowdown();
  report.camps = report.slowdown >= kCampsFrom;
  if (!report.camps) {
    report.text = "The load is spread over the " + std::to_string(map.count) + " partitions.";
    return report;
  }
  uint64_t most = 0;
  for (const auto& [distance, times] : distances(records, length)) {
    // Blocks that continue where the previous one stopped do not camp, however frequent they are.
    if (distance < map.bytes || times <= most) continue;
    const int reached = partitions_reached(map, distance);
    if (reached * 2 > map.count) continue;
    most = times;
    report.stride_bytes = distance;
    report.partitions = reached;
  }
  std::ostringstream text;
  text.precision(2);
  if (report.stride_bytes == 0) {
    text << "The load camps on a few partitions (" << report.slowdown
         << " times as long as balanced), but no single stride causes it.";
    report.text = text.str();
    return report;
  }
  report.better_strides = strides_without_camping(map, report.stride_bytes, element_bytes, 3);
  text << "Neighbouring blocks are " << bytes_text(report.stride_bytes)
       << " apart: they collide in " << report.partitions << " of " << map.count
       << " partitions, and memory takes " << report.slowdown
       << " times as long as for a balanced load.";
  if (!report.better_strides.empty()) {
    text << " " << bytes_text(report.better_strides.front())
         << " would reach every partition; so does a diagonal order of the blocks.";
  }
  if (map.illustration)
    text << " (The mapping is an illustration: the chip's own is not published.)";
  report.text = text.str();
  return report;
}

}  // namespace warpshop::models
