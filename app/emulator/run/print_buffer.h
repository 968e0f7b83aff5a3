// What a kernel's printf has written: bounded as the device's buffer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emulator/launch.h"

namespace warpshop::emulator {

// Bytes. cudaLimitPrintfFifoSize is 1 MiB unless the host changes it: CUDA C++ Programming Guide, "Formatted Output".
// The device keeps the format's address and the arguments where we keep the text, so that the two are full at about the
// same time, not at the same call.
inline constexpr uint64_t kPrintLimit = uint64_t{1} << 20;
// The least that a call takes there: the address of its format and that of its arguments.
inline constexpr uint64_t kPrintRecordBytes = 16;

// The calls of one emulation thread, or of all of them. It keeps the first calls that fit, in the order of blocks: a
// thread runs its blocks in ascending order, so what it drops does not fit into the whole, either.
class PrintBuffer {
 public:
  explicit PrintBuffer(uint64_t limit = kPrintLimit) : limit_(limit) {}

  void add(uint64_t block, uint32_t thread, std::string text);
  // Takes the calls of another thread; the bound is applied by text().
  void merge(PrintBuffer&& other);
  struct Printed {
    std::string text;                // in block order, with a last line that says how many calls were dropped
    std::vector<PrintedCall> calls;  // whose texts these are, one after the other
    uint64_t dropped = 0;
  };
  Printed printed() const;
  bool full() const { return full_; }   // further calls are counted only

 private:
  struct Calls {
    std::string text;
    std::vector<PrintedCall> calls;
  };
  static uint64_t room_of(uint64_t length) { return length < kPrintRecordBytes ? kPrintRecordBytes : length; }

  uint64_t limit_;
  std::map<uint64_t, Calls> kept_;  // by linear block
  uint64_t used_ = 0;
  uint64_t dropped_ = 0;
  bool full_ = false;
};

}  // namespace warpshop::emulator
