// A kernel's printf output so far, readable while the kernel runs.
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

// A printf call: the calling thread and the length of its part of the text.
struct PrintedCall {
  uint64_t block = 0;   // linear
  uint32_t thread = 0;  // of the block, linear
  uint32_t bytes = 0;
};

// Every member is thread-safe.
class LivePrints {
 public:
  // Bytes of output kept, from the launch's first calls; later calls are only counted. The complete
  // output comes with the launch's result (LaunchResult::printed).
  static constexpr uint64_t kLimit = uint64_t{64} << 10;

  LivePrints();
  ~LivePrints();

  // Starts a launch; forgets earlier output.
  void start(const Dim3& grid, const Dim3& block);
  void add(uint64_t block, uint32_t thread, std::string_view text);

  struct Text {
    Dim3 grid{};
    Dim3 block{};
    std::string text;  // in block order, as LaunchResult::printed; per block in time order
    std::vector<PrintedCall> calls;  // in the order of their texts
    uint64_t dropped = 0;            // calls missing from the text
  };
  Text text() const;
  // printf calls so far; differs whenever text() does.
  uint64_t calls() const { return calls_.load(std::memory_order_relaxed); }

 private:
  mutable std::mutex mutex_;
  Dim3 grid_{}, block_{};
  std::unique_ptr<PrintBuffer> kept_;
  std::atomic<uint64_t> calls_{0};
  std::atomic<uint64_t> late_{0};  // calls after the buffer was full
  std::atomic<bool> full_{false};
};

}  // namespace warpshop::emulator
