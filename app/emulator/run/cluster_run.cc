#include "run/cluster_run.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "checks/cluster_watch.h"
#include "core/dim3.h"
#include "operations/cluster_barrier.h"
#include "operations/paths.h"
#include "run/atomics_in_turn.h"
#include "run/block_run.h"
#include "run/budget.h"
#include "run/order.h"
#include "run/suspended_blocks.h"
#include "state/cluster.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

// A block of the cluster while another one runs.
struct Member {
  Block block;
  std::vector<std::unique_ptr<Warp>> running;
  Turns turns;
  WarpIdentity identity;
  uint64_t order_state = 0;
};

class ResidentCluster {
 public:
  explicit ResidentCluster(EmulationThread& worker);
  void start(EmulationThread& worker, uint64_t number);

  enum class Outcome : uint8_t { kEnded, kWaits, kHalted };
  // Runs the blocks in turns until all have ended, or none can do anything but wait.
  Outcome run(EmulationThread& worker);
  void report_deadlock(EmulationThread& worker, WaitingBoard& board, uint64_t unstarted,
                       uint64_t most_resident);
  // True if no warp tests memory: nobody outside can end the wait.
  bool only_meets() const;

 private:
  // Exchanges the member and what the worker has.
  void exchange(EmulationThread& worker, size_t rank);
  void enter(EmulationThread& worker, size_t rank);
  void leave(EmulationThread& worker, size_t rank);

  Cluster cluster_;
  std::vector<Member> members_;
};

ResidentCluster::ResidentCluster(EmulationThread& worker)
    : members_(worker.launch->cluster.count()) {
  const DecodedProgram& program = *worker.launch->program;
  cluster_.members.resize(members_.size());
  for (size_t rank = 0; rank < members_.size(); ++rank) {
    exchange(worker, rank);
    set_up_block(worker);
    if (program.maps_cluster) {
      worker.block.cluster_shadow = std::make_shared<ClusterShadow>();
      worker.block.cluster_shadow->configure(worker.launch->shared_bytes,
                                             program.shared_granule_bytes);
    }
    leave(worker, rank);
  }
}

void ResidentCluster::exchange(EmulationThread& worker, size_t rank) {
  Member& member = members_[rank];
  std::swap(worker.block, member.block);
  std::swap(worker.running, member.running);
  std::swap(worker.turns, member.turns);
  std::swap(worker.identity, member.identity);
  std::swap(worker.order_state, member.order_state);
}

void ResidentCluster::enter(EmulationThread& worker, size_t rank) {
  exchange(worker, rank);
  cluster_.members[rank] = &worker.block;
  worker.turns.waits = false;
  place_shared_memory(worker);
}

void ResidentCluster::leave(EmulationThread& worker, size_t rank) {
  exchange(worker, rank);
  cluster_.members[rank] = &members_[rank].block;
}

void ResidentCluster::start(EmulationThread& worker, uint64_t number) {
  const Launch& launch = *worker.launch;
  const Dim3& size = launch.cluster;
  const Dim3& grid = launch.grid;
  const Dim3 clusters{grid.x / size.x, grid.y / size.y, grid.z / size.z};
  const Dim3 cluster = index_in(clusters, number);
  cluster_.phase = cluster_.arrived = 0;
  cluster_.live_warps = static_cast<uint32_t>(members_.size()) * launch.warps_per_block;
  cluster_.floor = ++cluster_.now;
  cluster_.shared_objects.clear();
  for (uint32_t rank = 0; rank < members_.size(); ++rank) {
    const Dim3 inside = index_in(size, rank);
    const Dim3 at{cluster.x * size.x + inside.x, cluster.y * size.y + inside.y,
                  cluster.z * size.z + inside.z};
    enter(worker, rank);
    start_block(worker, linear_in(grid, at));
    Block& block = worker.block;
    block.cluster = &cluster_;
    block.rank = rank;
    block.ended = false;
    block.cluster_waits = 0;
    block.object_passed = 0;
    block.last_remote = {};
    block.pass_barrier();  // what others write is then in an earlier interval
    if (block.cluster_shadow) block.cluster_shadow->start_block(cluster_.now);
    leave(worker, rank);
  }
}

ResidentCluster::Outcome ResidentCluster::run(EmulationThread& worker) {
  Launch& launch = *worker.launch;
  for (uint64_t round = 0;; ++round) {
    bool any = false;
    const uint64_t before = worker.busy_turns;
    const uint64_t phase = cluster_.phase;
    bool moved = false;
    const uint64_t seed = launch.options->order_seed;
    const Order order(members_.size(), seed == 0 ? 0 : mixed(seed + round) | 1);
    for (size_t n = 0; n < members_.size(); ++n) {
      const auto rank = static_cast<size_t>(order.at(n));
      if (members_[rank].block.ended) continue;
      any = true;
      enter(worker, rank);
      run_block(worker);
      const bool halted = launch.halt.load(std::memory_order_relaxed);
      if (!worker.turns.waits && !halted) {
        worker.block.ended = true;
        check_end_in_cluster(worker);
        launch.suspended_blocks.fetch_sub(1);
        launch.progress.fetch_add(1);
        moved = true;
      }
      leave(worker, rank);
      if (halted) return Outcome::kHalted;
    }
    if (!any) return Outcome::kEnded;
    if (!moved && worker.busy_turns == before && cluster_.phase == phase) return Outcome::kWaits;
  }
}

bool ResidentCluster::only_meets() const {
  for (const Member& member : members_) {
    for (const auto& warp : member.running) {
      if (warp->status == WarpStatus::kReady) return false;
    }
  }
  return true;
}

void ResidentCluster::report_deadlock(EmulationThread& worker, WaitingBoard& board,
                                      uint64_t unstarted, uint64_t most_resident) {
  // Where a warp is that does not come to the cluster's barrier.
  SourcePlace elsewhere;
  for (size_t rank = 0; rank < members_.size() && elsewhere.line == 0; ++rank) {
    if (members_[rank].block.ended) continue;
    enter(worker, rank);
    for (const auto& warp : worker.running) {
      if (warp->paths.empty() || elsewhere.line > 0) continue;
      if (warp->status == WarpStatus::kReady) {
        elsewhere = control::source_of(*warp, warp->paths.back(), warp->pc);
      } else if (warp->barrier != kClusterBarrier && warp->barrier_op != nullptr) {
        elsewhere = control::source_of(
            *warp, control::path_of_lane(*warp, std::countr_zero(warp->barrier_lanes)),
            warp->barrier_op);
      }
    }
    leave(worker, rank);
  }
  for (size_t rank = 0; rank < members_.size(); ++rank) {
    if (members_[rank].block.ended) continue;
    enter(worker, rank);
    const bool reported = report_stuck_cluster(worker, elsewhere);
    leave(worker, rank);
    if (reported) return;
  }
  for (size_t rank = 0; rank < members_.size(); ++rank) {
    if (members_[rank].block.ended) continue;
    enter(worker, rank);
    if (!emulator::report_deadlock(worker)) {
      const SuspendedBlocks none(board, worker.index);
      none.report_deadlock(worker, unstarted, most_resident);
    }
    leave(worker, rank);
    return;
  }
}

}  // namespace

void run_clusters(EmulationThread& worker, WaitingBoard& board) {
  Launch& launch = *worker.launch;
  const uint64_t size = launch.cluster.count();
  const uint64_t most_resident = std::max(size, resident_blocks(launch));
  const Order order(launch.positions, launch.options->order_seed);
  WaitingTurns turns(most_resident);
  worker.may_suspend = blocks_take_turns(launch);
  std::deque<std::unique_ptr<ResidentCluster>> waiting;
  std::unique_ptr<ResidentCluster> spare;
  while (!launch.halt.load(std::memory_order_relaxed)) {
    std::unique_ptr<ResidentCluster> cluster;
    uint64_t position = 0;
    const bool may_start =
        waiting.empty() ||
        launch.suspended_blocks.load(std::memory_order_relaxed) + size <= most_resident;
    if (may_start && schedule_next(worker, position)) {
      cluster = spare ? std::move(spare) : std::make_unique<ResidentCluster>(worker);
      launch.suspended_blocks.fetch_add(size);
      cluster->start(worker, order.at(position));
    } else if (!waiting.empty()) {
      cluster = std::move(waiting.front());
      waiting.pop_front();
      worker.waits_in_turn = false;
    } else {
      return;
    }
    const ResidentCluster::Outcome outcome = cluster->run(worker);
    leave_turnstile(worker);
    if (outcome == ResidentCluster::Outcome::kHalted) return;
    if (outcome == ResidentCluster::Outcome::kEnded) {
      const uint64_t finished = launch.finished_blocks.fetch_add(size) + size;
      spare = std::move(cluster);
      if (!worker.pool.empty() && !within_budget(worker, *worker.pool.back())) return;
      if (worker.index == 0 && launch.options->progress) {
        launch.options->progress(static_cast<double>(finished) /
                                 static_cast<double>(launch.total_blocks));
      }
      continue;
    }
    if (cluster->only_meets() || turns.is_deadlock(launch, waiting.size() + 1)) {
      const uint64_t unstarted = (launch.positions - launch.scheduler.started_in_order()) * size;
      cluster->report_deadlock(worker, board, unstarted, most_resident);
      launch.halt.store(true);
      return;
    }
    waiting.push_back(std::move(cluster));
  }
}

}  // namespace warpshop::emulator
