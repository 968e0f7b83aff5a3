// Race detection in shared memory for kernels in which only parts of a block wait for each other:
// named barriers with a thread count, bar.arrive, mbarrier objects, __syncwarp with a partial mask,
// locks and flags. SharedShadow, which assumes one order for the whole block, delegates to it in
// such kernels.
//
// The order ("happens before") is represented by vector clocks. Each ordering event advances the
// block's time by one. across[w][v] is the time before which all accesses of warp v happen before
// the next access of warp w; within[w][l][m] is the same for lanes m and l of warp w. A barrier of
// some warps sets the clocks of those that wait to the latest of all that arrived; bar.arrive
// publishes its warp's clock without receiving one, and so does an arrival at an mbarrier object,
// whose clock a warp receives when it finds a phase over. PTX ISA §9.7.13 "bar, barrier",
// "bar.warp.sync", "mbarrier": memory is ordered among the participating threads. In practice one
// lane arrives and waits for its warp; strict_ has what its arrival orders by the manual. Releases
// and acquires at words of shared memory order single threads: see ThreadOrder. A lock without
// fences orders nothing by the manual, and works on every GPU: a second ThreadOrder has what it
// would order.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "shadows/shared_hazard.h"
#include "shadows/thread_order.h"

namespace warpshop::emulator {

class OrderedShadow {
 public:
  // `shift`: a granule is 1 << shift bytes.
  void configure(uint32_t size_bytes, int shift);
  void start_block(bool lockstep);
  void pass_barrier();  // every thread of the block
  void arrive(uint32_t warp, int barrier);
  void pass_barrier(int barrier, uint32_t waiting_warps);  // bit mask of warps
  void sync_lanes(uint32_t warp, uint32_t lanes);
  // An mbarrier object at this address is new.
  void start_object(uint64_t address) { objects_.erase(address); }
  void arrive_at_object(uint32_t warp, uint32_t lanes, uint64_t address);
  // Another block of the cluster has arrived: what it knows of this block is taken to be all.
  void arrive_from_outside(uint64_t address);
  void complete_phase(uint64_t address);
  // The warp has found a phase of the object over.
  void pass_object(uint32_t warp, uint64_t address);
  // The products of these warps are complete (wgmma): their reads are over.
  void end_products(uint32_t warps);
  // The warp has waited for that: what they did until then happens before what it does next.
  void follow_products(uint32_t warp, uint32_t warps);
  void fence(uint32_t warp, uint32_t lanes);
  // A thread has made a strong access to a word of shared memory. `roles`: OrderRole.
  void order_by(uint32_t warp, int lane, uint64_t address, uint32_t roles);

  // As in SharedShadow.
  uint32_t on_read(const ShadowWarp& warp, const ShadowAccess& access,
                   std::vector<Hazard>& hazards);
  void on_write(const ShadowWarp& warp, const ShadowAccess& access, std::vector<Hazard>& hazards);
  void before_write(const ShadowWarp& warp, const ShadowAccess& access,
                    std::vector<Hazard>& hazards);
  uint32_t unwritten(const ShadowAccess& access) const;
  void mark_written(const ShadowAccess& access);
  uint64_t size_bytes() const;

 private:
  static constexpr uint32_t kWarps = 32;  // maximum per block
  using Clock = std::array<uint32_t, kWarps>;

  // Accesses to a granule by one execution of an instruction.
  struct Touch {
    uint32_t time = 0;
    uint32_t lanes = 0;
    uint32_t site = 0;
    uint32_t run = 0;  // identifies the execution of the instruction
    uint8_t warp = 0;
    bool write = false;
    bool atomic = false;
  };
  struct Granule {
    std::vector<Touch> touches;
    bool written = false;
  };
  // What those that have arrived somewhere know.
  struct Published {
    Clock clock{};
    ThreadOrder::Knowledge strict;  // nullptr: as the clock
    ThreadOrder::Knowledge by_fences;
    ThreadOrder::Knowledge by_locks;
  };
  struct Object {
    Published arrived;  // by all arrivals so far
    Published over;     // by those of phases that are over
  };

  // Lanes of the touch that are not ordered before lane `lane` of `warp`.
  uint32_t unordered_lanes(const Touch& touch, uint32_t warp, int lane) const;
  // What the thread knows of accesses before `until`, and its own.
  ThreadOrder::Knowledge known_until(const ThreadOrder& order, uint32_t warp, int lane,
                                     uint32_t until) const;
  void write_at(ThreadOrder& order, uint32_t warp, int lane, uint64_t address, uint32_t roles,
                bool unlocks);
  void publish(uint32_t warp, uint32_t lanes, Published& to);
  void start_strict();
  static ThreadOrder::Times strict_of(const Published& published);
  void publish_strict(uint32_t warp, uint32_t lanes, uint32_t now, Published& to) const;
  uint32_t unordered_strictly(const Touch& touch, const Touch& mine, int lane) const;
  void hand_on(ThreadOrder& order, uint32_t waiting_warps, ThreadOrder::Knowledge joined) const;
  void add_hazards(Granule& granule, uint64_t address, const Touch& mine, int lane,
                   std::vector<Hazard>& hazards) const;
  void add(Granule& granule, const Touch& mine) const;
  template <typename Visit>
  void each_granule(const ShadowAccess& access, int lane, Visit visit);

  int shift_ = 2;
  bool lockstep_ = false;
  uint32_t now_ = 1;
  uint32_t floor_ = 1;  // everything before this time is ordered before everything
  uint32_t run_ = 0;
  std::vector<Granule> granules_;
  std::vector<uint32_t> used_;  // granules with touches
  std::array<Clock, kWarps> across_{};
  std::vector<std::array<Clock, kWarps>> within_;  // by warp; empty until lanes wait for each other
  std::array<Published, 16> released_{};           // by barrier
  std::map<uint64_t, Object> objects_;             // by address
  // By warp: what it knows of each thread. An arrival at an object publishes what was done by the
  // lanes that arrive, and what they know. Empty until some lanes arrive for others.
  std::vector<ThreadOrder::Times> strict_;
  Clock products_ended_{};  // by warp: the latest end_products()
  ThreadOrder by_fences_;   // as the manual says
  ThreadOrder by_locks_;    // as if the operations of locks had fences
};

}  // namespace warpshop::emulator
