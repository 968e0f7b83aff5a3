#include "state/print_buffer.h"

#include <utility>

namespace warpshop::emulator {

void PrintBuffer::add(uint64_t block, uint32_t thread, const std::string& text) {
  full_ = full_ || used_ + room_of(text.size()) > limit_;
  if (full_) {
    ++dropped_;
    return;
  }
  used_ += room_of(text.size());
  Calls& calls = kept_[block];
  calls.calls.push_back(
      {.block = block, .thread = thread, .bytes = static_cast<uint32_t>(text.size())});
  calls.text += text;
}

void PrintBuffer::merge(PrintBuffer&& other) {
  for (auto& [block, calls] : other.kept_) {
    Calls& mine = kept_[block];
    mine.text += calls.text;
    mine.calls.insert(mine.calls.end(), calls.calls.begin(), calls.calls.end());
  }
  dropped_ += other.dropped_;
}

PrintBuffer::Printed PrintBuffer::printed() const {
  Printed out;
  out.dropped = dropped_;
  std::string& text = out.text;
  uint64_t used = 0;
  bool full = false;
  for (const auto& [block, kept] : kept_) {
    size_t bytes = 0;
    for (const PrintedCall& call : kept.calls) {
      full = full || used + room_of(call.bytes) > limit_;
      if (full) {
        ++out.dropped;
        continue;
      }
      used += room_of(call.bytes);
      bytes += call.bytes;
      out.calls.push_back(call);
    }
    text.append(kept.text, 0, bytes);
  }
  if (out.dropped > 0) {
    if (!text.empty() && text.back() != '\n') text += '\n';
    text += "(printf: " + std::to_string(out.dropped) +
            (out.dropped == 1 ? " call was" : " calls were") +
            " dropped, the buffer of 1 MiB is full)\n";
  }
  return out;
}

}  // namespace warpshop::emulator
