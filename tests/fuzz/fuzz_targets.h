// What the fuzzers feed, and what the tests replay of their findings. A target takes any bytes; it
// may not crash, hang, leak, or touch memory that is not its own. See docs/BUILDING.md, "Fuzzing".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace warpshop::fuzz {

using Bytes = std::span<const uint8_t>;

// Bytes are PTX text: parsed, nothing else.
void parse_ptx(Bytes bytes);
// Bytes are PTX text: every kernel in it is decoded and launched.
void run_ptx(Bytes bytes);
// Bytes are decisions, of which a launch and a kernel are made that uses all instructions and state
// spaces (random_kernel.h): it is launched, now and then a second time to compare, or played step
// by step.
void run_program(Bytes bytes);
// The first byte says what the others are: a lab.toml, a spec, a GPU profile, marked text, a fill,
// an expression.
void read_lab_files(Bytes bytes);
// Bytes are a program's .cu file: its host code is left out. What is kept stays in its line, and
// cutting what was cut changes nothing.
void cut_host_code(Bytes bytes);

struct Target {
  std::string_view name;  // of its corpus folder, and of the fuzzer: fuzz_<name>
  void (*run)(Bytes bytes);
  bool is_ptx =
      false;  // changed as PTX, statement by statement (mutate_ptx.h), and not only as bytes
};
const std::vector<Target>& targets();

}  // namespace warpshop::fuzz
