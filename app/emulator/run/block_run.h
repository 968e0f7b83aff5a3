// The parts of a launch: launch() runs all blocks, Replay runs a single one repeatedly.
#pragma once

#include <memory>

#include "core/result.h"
#include "emulator/launch.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {

// Fills in everything except the shadows of global memory; `config` and `options` must outlive it.
// Error: a launch that the machine would refuse.
Status prepare_launch(Launch& launch, const Program& program, DeviceMemory& memory,
                      const LaunchConfig& config, const LaunchOptions& options);
// Creates shadows of the buffers that the kernel may store to.
void watch_global_races(Launch& launch);
void prepare_worker(Launch& launch, EmulationThread& worker, int index);
// Allocates shared memory and configures the race shadows for the worker's next block; the worker
// must not move from now on.
void set_up_block(EmulationThread& worker);
// For a block that has returned to the worker together with its shared memory.
void place_shared_memory(EmulationThread& worker);

void start_block(EmulationThread& worker, uint64_t linear);
// Runs the block's warps in turns until it ends, from its current state.
void run_block(EmulationThread& worker);
// Completes the slice that `warp` is in, then runs the rest of the block.
void finish_turn(EmulationThread& worker, Warp& warp);
// A warp object for this launch, from the pool or new.
std::unique_ptr<Warp> spare_warp(EmulationThread& worker);

}  // namespace warpshop::emulator
