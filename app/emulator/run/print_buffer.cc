#include "run/print_buffer.h"

#include <utility>

namespace warpshop::emulator {

void PrintBuffer::add(uint64_t block, std::string text) {
  full_ = full_ || used_ + room_of(text.size()) > kPrintLimit;
  if (full_) {
    ++dropped_;
    return;
  }
  used_ += room_of(text.size());
  Calls& calls = kept_[block];
  calls.lengths.push_back(static_cast<uint32_t>(text.size()));
  calls.text += text;
}

void PrintBuffer::merge(PrintBuffer&& other) {
  for (auto& [block, calls] : other.kept_) {
    Calls& mine = kept_[block];
    mine.text += calls.text;
    mine.lengths.insert(mine.lengths.end(), calls.lengths.begin(), calls.lengths.end());
  }
  dropped_ += other.dropped_;
}

std::string PrintBuffer::text() const {
  std::string text;
  uint64_t used = 0;
  uint64_t dropped = dropped_;
  bool full = false;
  for (const auto& [block, calls] : kept_) {
    size_t bytes = 0;
    for (uint32_t length : calls.lengths) {
      full = full || used + room_of(length) > kPrintLimit;
      if (full) {
        ++dropped;
        continue;
      }
      used += room_of(length);
      bytes += length;
    }
    text.append(calls.text, 0, bytes);
  }
  if (dropped > 0) {
    if (!text.empty() && text.back() != '\n') text += '\n';
    text += "(printf: " + std::to_string(dropped) + (dropped == 1 ? " call was" : " calls were") +
            " dropped, the buffer of 1 MiB is full)\n";
  }
  return text;
}

}  // namespace warpshop::emulator
