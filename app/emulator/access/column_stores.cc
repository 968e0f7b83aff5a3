#include "access/column_stores.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "access/access_check.h"
#include "checks/race_watch.h"
#include "state/emulation_thread.h"

namespace warpshop::emulator {
namespace {

// Rows this far apart share a few sets of an L1 cache of 32 to 48 KiB.
constexpr uint64_t kRowUnit = 2048;
constexpr uint64_t kStoreBytes = 4;

uint64_t distance(int64_t stride) {
  return stride < 0 ? uint64_t{0} - static_cast<uint64_t>(stride) : static_cast<uint64_t>(stride);
}

// Bytes from lane to lane; 0: not constant, or too small to matter.
int64_t row_stride(const AddressPattern& pattern) {
  const uint64_t stride = pattern.delta[1];
  if (stride % kRowUnit != 0 || pattern.mask != 0xffffffffu) return 0;
  uint64_t uneven = 0;
  for (uint64_t lane = 0; lane < kWarpSize; ++lane) uneven |= pattern.delta[lane] ^ (stride * lane);
  return uneven == 0 ? static_cast<int64_t>(stride) : 0;
}

class KeptWords final : public StoreValues {
 public:
  explicit KeptWords(const uint32_t* words) : words_(words) {}
  void lane(int lane, uint8_t* to) const override { std::memcpy(to, words_ + lane, kStoreBytes); }

 private:
  const uint32_t* words_;
};

}  // namespace

bool ColumnStores::take(Warp& warp, const MicroOp* op, const Region& region,
                        const AddressPattern& pattern, const uint32_t* words) {
  EmulationThread& worker = *warp.worker;
  const uint64_t first = worker.access.address[0];
  const int64_t stride = warp.watch == nullptr ? stride_of(pattern) : 0;
  const uint64_t offset = first - region.base;
  if (stride == 0 || offset % kStoreBytes != 0 || !region.shadow->keeps_words()) {
    flush(worker);
    return false;
  }
  // Start a new group.
  if (count_ == kMostStores || region_ != &region || !joins(first, stride)) flush(worker);
  if (count_ == 0) {
    region_ = &region;
    stride_ = stride;
    lowest_ = highest_ = first;
  }
  if (!add_line(offset - offset % GlobalShadow::kLineBytes, worker.block.linear)) {
    flush(worker);
    return false;
  }
  line_[lines_ - 1].words |= 1u << (offset % GlobalShadow::kLineBytes / kStoreBytes);
  lowest_ = std::min(lowest_, first);
  highest_ = std::max(highest_, first);
  stores_[count_] = {.op = op, .function = warp.function, .warp = warp.index, .first = first};
  std::memcpy(words_[count_++], words, sizeof words_[0]);
  return true;
}

int64_t ColumnStores::stride_of(const AddressPattern& pattern) {
  if (seen_ != &pattern || seen_version_ != pattern.version) {
    seen_ = &pattern;
    seen_version_ = pattern.version;
    seen_stride_ = row_stride(pattern);
  }
  return seen_stride_;
}

// Lanes of different stores must not hit the same word: performed row by row, the later store might
// not come last.
bool ColumnStores::joins(uint64_t first, int64_t stride) const {
  const uint64_t span = std::max(highest_, first) - std::min(lowest_, first);
  return stride == stride_ && span + kStoreBytes <= distance(stride);
}

// Appends the line to the list. False: the block does not own it in every row, or the list is full.
bool ColumnStores::add_line(uint64_t offset, uint64_t block) {
  const auto known = std::find_if(line_.begin(), line_.begin() + lines_,
                                  [&](const Line& l) { return l.offset == offset; });
  if (known != line_.begin() + lines_) {
    std::swap(*known, line_[lines_ - 1]);
    return true;
  }
  if (lines_ == kMostLines) return false;
  for (size_t lane = 0; lane < kWarpSize; ++lane) {
    if (!region_->shadow->owns(row(offset, lane), block)) return false;
  }
  line_[lines_++] = {.offset = offset};
  return true;
}

void ColumnStores::flush(EmulationThread& worker) {
  if (count_ > 0) {
    const StoreInFlight until_stored(worker.launch->stores, worker.index);
    worker.launch->stores.start(worker.index);
    if (record_rows(worker.block.linear)) {
      write_rows();
    } else {
      write_one_by_one(worker);
    }
  }
  count_ = lines_ = 0;
}

// False: another block has touched a line.
bool ColumnStores::record_rows(uint64_t block) {
  for (size_t lane = 0; lane < kWarpSize; ++lane) {
    for (size_t n = 0; n < lines_; ++n)
      region_->shadow->add_words(row(line_[n].offset, lane), block, line_[n].words);
  }
  region_->shadow->settle();
  bool all = true;
  for (size_t n = 0; n < lines_; ++n) {
    for (size_t lane = 0; lane < kWarpSize; ++lane)
      all = region_->shadow->owns(row(line_[n].offset, lane), block) && all;
  }
  return all;
}

void ColumnStores::write_rows() {
  uint8_t* const data = region_->data;
  for (size_t lane = 0; lane < kWarpSize; ++lane) {
    for (size_t n = 0; n < count_; ++n)
      std::memcpy(data + (row(stores_[n].first, lane) - region_->base), &words_[n][lane],
                  kStoreBytes);
  }
}

void ColumnStores::write_one_by_one(EmulationThread& worker) {
  const WarpAccess running = worker.access;
  Warp speaker;  // the storing warp may have ended: this stands in for it in findings
  speaker.worker = &worker;
  speaker.block = &worker.block;
  for (size_t n = 0; n < count_; ++n) {
    const Store& store = stores_[n];
    speaker.index = store.warp;
    speaker.function = store.function;
    worker.access.site = store.op->site;
    for (size_t lane = 0; lane < kWarpSize; ++lane)
      worker.access.address[lane] = row(store.first, lane);
    const GlobalTouch touch{.block = worker.block.linear,
                            .address = worker.access.address.data(),
                            .base = region_->base,
                            .mask = 0xffffffffu,
                            .bytes = kStoreBytes};
    const KeptWords values(words_[n]);
    watch_global(speaker, store.op, *region_, touch, AccessIntent::kWrite, &values);
    for (size_t lane = 0; lane < kWarpSize; ++lane) {
      std::memcpy(region_->data + (worker.access.address[lane] - region_->base), &words_[n][lane],
                  kStoreBytes);
    }
  }
  worker.access = running;
}

}  // namespace warpshop::emulator
