// The state of a running block.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "emulator/access.h"
#include "emulator/finding.h"
#include "shadows/block_shadow.h"
#include "shadows/cluster_shadow.h"
#include "shadows/proxy_writes.h"
#include "shadows/shared_shadow.h"
#include "state/copies_in_flight.h"

namespace warpshop::emulator {

class PendingCopies;
struct Cluster;
struct DecodedFunction;
struct MicroOp;

// One of a block's sixteen named barriers. PTX ISA §9.7.13 "bar, barrier".
struct Barrier {
  bool in_use = false;                   // a warp has arrived in this phase
  uint32_t expected_threads = 0;         // 0: every warp of the block that still runs
  uint32_t arrived_without_waiting = 0;  // threads, through bar.arrive
};

// The latest access of another block to a block's shared memory.
struct RemoteAccess {
  const DecodedFunction* function = nullptr;
  const MicroOp* op = nullptr;  // nullptr: none yet
  ThreadPlace who;
  std::string_view access;  // "read", "write", "atomic"
  uint32_t warp = 0;
  uint32_t arrivals = 0;  // of its warp at the cluster's barrier, before it
  uint64_t time = 0;      // Cluster::now
};

struct Block {
  Dim3 index;
  uint64_t linear = 0;
  std::vector<uint8_t> shared;                    // static, then dynamic
  SharedShadow shadow;                            // accesses to it since the last barrier
  BlockShadow global_shadow;                      // accesses to global memory since then
  std::vector<BulkCopy> bulk_copies;              // in flight
  std::vector<ArrivedCopy> arrived_copies;        // of these, the latest
  uint64_t arrivals = 0;                          // of copies in bulk, so far
  std::vector<BulkStore> bulk_stores;             // in flight
  std::vector<uint32_t> bulk_groups;              // committed by each thread; empty: none yet
  std::vector<PendingProduct> products;           // likewise
  std::vector<uint32_t> product_groups;           // committed by each warp; empty: none yet
  ProxyWrites proxy_writes;                       // if the kernel has copies from shared memory
  std::shared_ptr<PendingCopies> pending_copies;  // of all these; created on first use
  std::array<Barrier, 16> barriers;
  uint32_t arrived_at = 0;     // bit mask: barriers with arrivals since the last check
  uint32_t barrier_turns = 0;  // arrivals so far
  uint32_t live_threads = 0;
  bool failed = false;  // a finding ended the kernel
  // Turns in which it only waited at mbarrier objects of its own, and EmulationThread::busy_turns
  // then.
  uint32_t waits_for_itself = 0;
  uint64_t busy_turns = 0;
  // What other blocks have done may be ordered before what this block does from here on, since it
  // has read what they may have written: with an atomic or a strong load, or with a plain load
  // (has_loaded_stored) and a fence.
  bool may_follow_others = false;
  bool has_loaded_stored = false;

  Cluster* cluster = nullptr;  // nullptr: the launch has no clusters
  uint32_t rank = 0;           // in it
  bool ended = false;          // its last thread has exited
  uint32_t intervals = 0;      // barriers passed
  uint32_t cluster_waits = 0;  // of the warp that has passed the cluster's barrier most often
  uint64_t object_passed = 0;  // Cluster::now when a phase of an mbarrier object was last over
  std::shared_ptr<ClusterShadow> cluster_shadow;  // if the kernel maps memory of other blocks
  RemoteAccess last_remote;

  // Orders everything its threads did so far before everything they do from here on.
  void pass_barrier() {
    ++intervals;
    shadow.pass_barrier();
    global_shadow.pass_barrier();
  }
  // A phase of the mbarrier object there is over.
  void complete_phase(uint64_t address) {
    ++intervals;
    shadow.complete_phase(address);
    global_shadow.pass_barrier();
  }
};

}  // namespace warpshop::emulator
