#include "state/emulation_thread.h"

#include "state/launch_state.h"

namespace warpshop::emulator {

void fail_launch(Warp& warp) {
  warp.block->failed = true;
  warp.worker->launch->halt.store(true, std::memory_order_relaxed);
}

}  // namespace warpshop::emulator
