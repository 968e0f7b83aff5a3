// What a kernel's printf has written so far, for somebody who looks while the kernel runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/access.h"

namespace warpshop::emulator {

class PrintBuffer;

// A call of printf: who made it, and how much of the text it is part of is its own.
struct PrintedCall {
  uint64_t block = 0;    // linear
  uint32_t thread = 0;   // of the block, linear
  uint32_t bytes = 0;
};

// Every member may be called by any thread at any time.
class LivePrints {
 public:
  // Bytes of the calls that are kept, the first of the launch; of the others only the number is. The whole output comes
  // with the launch's result (LaunchResult::printed).
  static constexpr uint64_t kLimit = uint64_t{64} << 10;

  LivePrints();
  ~LivePrints();

  // A launch begins; what was printed before is forgotten.
  void start(const Dim3& grid, const Dim3& block);
  void add(uint64_t block, uint32_t thread, std::string_view text);

  struct Text {
    Dim3 grid{};
    Dim3 block{};
    std::string text;                // in block order, as LaunchResult::printed; a block's calls in the order of time
    std::vector<PrintedCall> calls;  // whose texts these are, one after the other
    uint64_t dropped = 0;            // calls that are not in it
  };
  Text text() const;
  // Calls of printf so far: tells whether text() has changed.
  uint64_t calls() const { return calls_.load(std::memory_order_relaxed); }

 private:
  mutable std::mutex mutex_;
  Dim3 grid_{}, block_{};
  std::unique_ptr<PrintBuffer> kept_;
  std::atomic<uint64_t> calls_{0};
  std::atomic<uint64_t> late_{0};    // that came when no room was left
  std::atomic<bool> full_{false};
};

}  // namespace warpshop::emulator
