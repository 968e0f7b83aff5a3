// The barrier of a cluster: barrier.cluster.arrive and .wait. PTX ISA §9.7.13.3: a wait ends when
// "all non-exited threads of the cluster" have arrived; each thread arrives once and waits once in
// every phase. A warp arrives when all its lanes have.
#pragma once

#include "state/warp.h"

namespace warpshop::emulator {

struct EmulationThread;

// Warp::barrier of a warp that waits there; the block's own are 0 to 15.
inline constexpr int kClusterBarrier = 16;

bool may_pass_cluster_barrier(const Warp& warp);
void pass_cluster_barrier(Warp& warp);
// Lanes of the warp have exited: nobody waits for them.
void leave_cluster_barrier(Warp& warp);
// True if a warp of the worker's block waits there.
bool waits_for_cluster(const EmulationThread& worker);
// The worker's block waits there forever: reports how many warps of the cluster never come, and
// `elsewhere`, where one of those waits. False: none of its warps waits.
bool report_stuck_cluster(EmulationThread& worker, const SourcePlace& elsewhere);

}  // namespace warpshop::emulator
