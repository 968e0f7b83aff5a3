#include <string>

#include "choices.h"
#include "fuzz_targets.h"
#include "launch_small.h"
#include "random_kernel.h"

namespace warpshop::fuzz {

void run_program(Bytes bytes) {
  Choices choices(bytes);
  static constexpr Dim3 kBlocks[] = {{48, 1, 1}, {32, 1, 1}, {96, 1, 1},
                                     {8, 4, 2},  {1, 1, 1},  {33, 2, 1}};
  SmallLaunch shape;
  shape.block = kBlocks[choices.below(6)];
  shape.grid = {1 + choices.below(3), 1 + choices.below(2), 1};
  const uint32_t bits = choices.byte();
  shape.threads = (bits & 7u) == 7 ? 2 : 1;
  shape.independent_threads = (bits & 8u) == 0;
  shape.order_seed = (bits & 16u) != 0 ? 1 + (bits >> 5) : 0;
  shape.compare = (bits & 32u) != 0;
  shape.replay_warp = (bits & 192u) == 192 ? static_cast<int>(choices.below(3)) : -1;
  shape.dynamic_shared_bytes = 16 * choices.below(8);
  shape.parsing_counts = false;
  launch_small(random_kernel(choices), shape);
}

}  // namespace warpshop::fuzz
