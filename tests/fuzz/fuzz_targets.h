// The functions that the fuzzers call, and that the tests call with the fuzzers' findings. A target
// accepts any bytes; it must not crash, hang, leak, or access memory that is not its own. See
// docs/BUILDING.md, "Fuzzing".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace warpshop::fuzz {

using Bytes = std::span<const uint8_t>;

// Bytes are PTX text, which is only parsed.
void parse_ptx(Bytes bytes);
// Bytes are PTX text; every kernel in it is decoded and launched.
void run_ptx(Bytes bytes);
// Bytes are decisions that make a launch and a kernel with all instructions and state spaces
// (random_kernel.h). The kernel is launched, and occasionally launched again to compare, or played
// step by step.
void run_program(Bytes bytes);
// The first byte selects what the others are: a lab.toml, a spec, a GPU profile, marked text, a
// fill, an expression.
void read_lab_files(Bytes bytes);
// Bytes are a program's .cu file, from which the host code is removed. What remains must stay in
// its line, and removing it a second time must move no line.
void cut_host_code(Bytes bytes);
// Bytes are operations on the device's heap, and on asynchronous copies. The kernels made from them
// check what they read; correct ones have no error, and read nothing wrong.
void use_heap(Bytes bytes);
void copy_asynchronously(Bytes bytes);

struct Target {
  std::string_view name;  // its corpus folder; the fuzzer is fuzz_<name>
  void (*run)(Bytes bytes);
  bool is_ptx =
      false;  // mutated as PTX, statement by statement (mutate_ptx.h), and not only as bytes
};
const std::vector<Target>& targets();

}  // namespace warpshop::fuzz
