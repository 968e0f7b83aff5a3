// Launches a kernel that checks itself: it has no findings that a correct kernel must not have, and
// counts in its first buffer how many values it found wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/finding.h"
#include "emulator/launch.h"

namespace warpshop::fuzz {

struct CheckedLaunch {
  Dim3 grid{1, 1, 1};
  Dim3 block{32, 1, 1};
  int threads = 1;
  uint64_t order_seed = 0;
  uint64_t heap_bytes = 64 * 1024;
};

// Every kernel has the parameters a0, 256 zeroed bytes: the number of wrong values, and from byte 4
// on whatever the kernel likes; a1, 1024 words, word n being input_word(n); and a2, 4096 bytes.
uint32_t input_word(uint32_t n);

struct CheckedResult {
  bool completed = false;
  uint32_t wrong = 0;
  uint32_t flag = 0;  // the second word of a0
  std::vector<emulator::Finding> findings;
};
// Aborts if the text does not parse, decode and launch.
CheckedResult launch_checked(const std::string& text, const CheckedLaunch& shape);

// Aborts if the kernel, which is correct by construction, did not complete, found wrong values, or
// has an error among its findings.
void expect_correct(const CheckedResult& result, const std::string& text);
[[noreturn]] void fail_launch(std::string_view what, const std::string& text);

}  // namespace warpshop::fuzz
