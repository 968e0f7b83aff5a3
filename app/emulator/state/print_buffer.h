// A kernel's printf output, limited like the device's buffer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emulator/launch.h"

namespace warpshop::emulator {

// Bytes. cudaLimitPrintfFifoSize is 1 MiB unless the host changes it: CUDA C++ Programming Guide,
// "Formatted Output". The device stores the format's address and the arguments where we store the
// text, so the two become full at about the same time, but not at the same call.
inline constexpr uint64_t kPrintLimit = uint64_t{1} << 20;
// Minimum size of a call on the device: the addresses of its format and of its arguments.
inline constexpr uint64_t kPrintRecordBytes = 16;

// The calls of one emulation thread, or of all of them. It keeps the first calls that fit, in block
// order: a thread runs its blocks in ascending order, so a call that it drops would not fit into
// the whole either.
class PrintBuffer {
 public:
  explicit PrintBuffer(uint64_t limit = kPrintLimit) : limit_(limit) {}

  void add(uint64_t block, uint32_t thread, const std::string& text);
  // Takes over the calls of another thread; printed() applies the limit.
  void merge(PrintBuffer&& other);
  struct Printed {
    std::string text;  // in block order, with a last line that counts the dropped calls
    std::vector<PrintedCall> calls;  // in the order of their texts
    uint64_t dropped = 0;
  };
  Printed printed() const;
  bool full() const { return full_; }  // further calls are only counted

 private:
  struct Calls {
    std::string text;
    std::vector<PrintedCall> calls;
  };
  static uint64_t room_of(uint64_t length) {
    return length < kPrintRecordBytes ? kPrintRecordBytes : length;
  }

  uint64_t limit_;
  std::map<uint64_t, Calls> kept_;  // by linear block
  uint64_t used_ = 0;
  uint64_t dropped_ = 0;
  bool full_ = false;
};

}  // namespace warpshop::emulator
