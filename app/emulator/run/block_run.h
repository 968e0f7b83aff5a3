// A launch in pieces, for those who run a single block of it: launch() runs all of them, Replay one again and again.
#pragma once

#include <memory>

#include "core/result.h"
#include "emulator/launch.h"
#include "run/launch_state.h"
#include "run/warp.h"

namespace warpshop::emulator {

// Fills in all but the shadows of global memory; `config` and `options` must outlive it. Error: a launch that the
// machine would refuse.
Status prepare_launch(Launch& launch, const Program& program, DeviceMemory& memory, const LaunchConfig& config,
                      const LaunchOptions& options);
void prepare_worker(Launch& launch, Worker& worker, int index);
// Shared memory and its shadow; the worker stays where it is from now on.
void give_shared_memory(Worker& worker);
// For a block that has come back to the worker with its shared memory.
void place_shared_memory(Worker& worker);

void start_block(Worker& worker, uint64_t linear);
// Lets the block's warps take turns until it ends, from wherever it stands.
void run_block(Worker& worker);
// Ends the slice in which `warp` stands, then runs the rest of the block.
void finish_turn(Worker& worker, Warp& warp);
// A warp object for this launch, from the pool or new.
std::unique_ptr<Warp> spare_warp(Worker& worker);

}  // namespace warpshop::emulator
