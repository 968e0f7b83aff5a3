// All targets in one program; the argument `--target=NAME` selects one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz_targets.h"
#include "mutate_ptx.h"

namespace {

using namespace warpshop::fuzz;

const Target* g_target = nullptr;

std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

size_t put(const std::string& text, uint8_t* data, size_t room) {
  const size_t size = std::min(text.size(), room);
  std::copy_n(text.begin(), size, data);
  return size;
}

}  // namespace

extern "C" {

size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

// libFuzzer leaves arguments that start with "--" to us.
int LLVMFuzzerInitialize(int* count, char*** arguments) {
  constexpr std::string_view kOption = "--target=";
  for (int n = 1; n < *count; ++n) {
    const std::string_view argument = (*arguments)[n];
    if (argument.substr(0, kOption.size()) != kOption) continue;
    for (const Target& target : targets()) {
      if (target.name == argument.substr(kOption.size())) g_target = &target;
    }
  }
  if (g_target == nullptr) {
    std::fprintf(stderr,
                 "say which target: --target=parser, text, program, lab, cut, heap or async\n");
    std::exit(2);
  }
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  g_target->run({data, size});
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  if (!g_target->is_ptx || seed % 5 == 0) return LLVMFuzzerMutate(data, size, max_size);
  return put(mutate_ptx(text_of(data, size), seed), data, max_size);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t one_size, const uint8_t* other,
                                 size_t other_size, uint8_t* out, size_t room, unsigned int seed) {
  if (g_target->is_ptx)
    return put(cross_ptx(text_of(one, one_size), text_of(other, other_size), seed), out, room);
  // Joins the start of one text and the end of the other.
  const size_t first = one_size == 0 ? 0 : seed % (one_size + 1);
  const size_t from = other_size == 0 ? 0 : (seed >> 8) % (other_size + 1);
  std::string both(text_of(one, first));
  both += text_of(other + from, other_size - from);
  return put(both, out, room);
}

}  // extern "C"
