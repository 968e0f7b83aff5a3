// One fuzzer for each target: WARPSHOP_FUZZ_TARGET names the function.
#include <cstddef>
#include <cstdint>

#include "fuzz_targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  warpshop::fuzz::WARPSHOP_FUZZ_TARGET({data, size});
  return 0;
}
