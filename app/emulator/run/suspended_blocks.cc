#include "run/suspended_blocks.h"

#include <algorithm>
#include <string>
#include <utility>

#include "checks/note_finding.h"
#include "checks/words.h"
#include "operations/paths.h"
#include "run/block_run.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

// Compute capability 9.0, H200.
constexpr uint64_t kThreads = 2048;
constexpr uint64_t kBlocks = 32;
constexpr uint64_t kSharedBytes = 228 * 1024;
constexpr uint64_t kSharedBytesOfSystem = 1024;

// About four million tries each, so that a loop that gives up after many tries is not a deadlock.
constexpr uint64_t kDeadlockTurns = 8192;
// A cooperative launch has many blocks, which mostly wait at the grid's barrier with one try per
// turn.
constexpr uint64_t kDeadlockRounds = 64;
// Several blocks try in each turn of a cluster, mostly mbarrier objects that only they can open.
constexpr uint64_t kDeadlockClusterTurns = 512;

const Warp* first_that_polls(const std::vector<std::unique_ptr<Warp>>& warps) {
  for (const auto& warp : warps) {
    if (warp->status == WarpStatus::kReady && warp->polls) return warp.get();
  }
  return nullptr;
}

SourcePlace loop_of(const Warp& warp) {
  return control::source_of(warp, warp.paths.back(), warp.pc);
}

}  // namespace

uint64_t resident_blocks(const Launch& launch) {
  if (launch.options->limits.resident_blocks > 0) return launch.options->limits.resident_blocks;
  const uint64_t threads = uint64_t{launch.warps_per_block} * kWarpSize;
  const uint64_t by_shared = kSharedBytes / (launch.shared_bytes + kSharedBytesOfSystem);
  return launch.options->limits.multiprocessors *
         std::max<uint64_t>(1, std::min({kBlocks, kThreads / threads, by_shared}));
}

bool blocks_take_turns(const Launch& launch) {
  const DecodedProgram& program = *launch.program;
  if (program.may_poll || launch.options->order_seed == 0) return program.may_poll;
  const bool looks_at_atomics =
      std::any_of(program.sites.begin(), program.sites.end(), [](const AccessSite& site) {
        return site.kind == AccessKind::kAtomic && site.space != ptx::Space::kShared;
      });
  return looks_at_atomics || program.has_volatile || program.has_strong_stores ||
         program.orders_blocks;
}

Sentence never_set() {
  return sentence(
      "a flag or a lock that nobody sets or gives back: does every way through the kernel do so, "
      "and does the waiting thread look for the right value?");
}

bool block_polls(const EmulationThread& worker) {
  bool polls = false;
  for (const auto& warp : worker.running) {
    if (warp->status != WarpStatus::kReady) continue;
    if (!warp->polls) return false;
    polls = true;
  }
  return polls;
}

void WaitingBoard::write(int worker, const Entry& entry) {
  const std::lock_guard<std::mutex> lock(mutex_);
  entries_[worker] = entry;
}

void WaitingBoard::clear(int worker) {
  const std::lock_guard<std::mutex> lock(mutex_);
  entries_.erase(worker);
}

bool WaitingBoard::find_other(int worker, Entry& entry) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [who, what] : entries_) {
    if (who == worker) continue;
    entry = what;
    return true;
  }
  return false;
}

bool WaitingTurns::is_deadlock(const Launch& launch, size_t suspended) {
  const uint64_t progress = launch.progress.load() + launch.finished_blocks.load();
  if (progress != seen_) turns_ = 0;
  seen_ = progress;
  const bool others_can_start = launch.scheduler.started_in_order() < launch.positions &&
                                launch.suspended_blocks.load() < most_resident_;
  const uint64_t patience = launch.config->cooperative ? kDeadlockRounds
                            : launch.in_clusters       ? kDeadlockClusterTurns
                                                       : kDeadlockTurns;
  return ++turns_ > patience * suspended && !others_can_start;
}

void SuspendedBlocks::suspend(EmulationThread& worker) {
  if (const Warp* warp = first_that_polls(worker.running);
      warp != nullptr && !warp->paths.empty()) {
    board_.write(worker_, {worker.block.index, loop_of(*warp)});
  }
  Suspended& suspended = blocks_.emplace_back();
  suspended.block = std::move(worker.block);
  suspended.running = std::move(worker.running);
  suspended.turns = worker.turns;
  suspended.identity = worker.identity;
  suspended.order_state = worker.order_state;
  worker.running.clear();
  worker.block = {};
  set_up_block(worker);
}

void SuspendedBlocks::restore(EmulationThread& worker, Suspended& suspended) {
  worker.block = std::move(suspended.block);
  worker.running = std::move(suspended.running);
  worker.turns = suspended.turns;
  worker.turns.waits = false;
  worker.identity = suspended.identity;
  worker.order_state = suspended.order_state;
  place_shared_memory(worker);
}

void SuspendedBlocks::resume(EmulationThread& worker) {
  restore(worker, blocks_.front());
  blocks_.pop_front();
}

void SuspendedBlocks::resume_last(EmulationThread& worker) {
  restore(worker, blocks_.back());
  blocks_.pop_back();
}

void SuspendedBlocks::add_other_loop(Finding& finding) const {
  WaitingBoard::Entry other;
  const Warp* warp = blocks_.empty() ? nullptr : first_that_polls(blocks_.front().running);
  if (warp != nullptr && !warp->paths.empty()) {
    other = {blocks_.front().block.index, loop_of(*warp)};
  } else if (!board_.find_other(worker_, other)) {
    return;
  }
  finding.other_who = ThreadPlace{.block = other.block, .thread = {}};
  if (other.place.line > 0) finding.other_place = other.place;
  finding.message.then(
      other.place.line > 0
          ? sentence("block {place} waits, too, in line {line}",
                     {{"place", text_of(other.block)}, {"line", other.place.line}})
          : sentence("block {place} waits, too", {{"place", text_of(other.block)}}),
      "; ");
}

void SuspendedBlocks::report_deadlock(EmulationThread& worker, uint64_t unstarted,
                                      uint64_t most_resident) const {
  Warp* warp = nullptr;
  for (const auto& w : worker.running) {
    if (warp == nullptr && w.get() == first_that_polls(worker.running)) warp = w.get();
  }
  if (warp == nullptr || warp->paths.empty()) return;
  const MicroOp* at = warp->pc;
  const MicroOp* end = warp->function->code.data() + warp->function->code.size();
  while (at + 1 < end && at->instruction < 0) ++at;
  Finding* f = note_finding(*warp, at, FindingKind::kDeadlock, ptx::Space::kGeneric, "",
                            std::countr_zero(warp->mask));
  if (f == nullptr) return;
  if (warp->polled_barrier && worker.launch->config->cooperative) {
    const Launch& launch = *worker.launch;
    f->message = sentence(
        "block {place} waits forever at a grid barrier: {gone} of the {blocks} blocks have ended "
        "without reaching it",
        {{"place", text_of(worker.block.index)},
         {"gone", launch.finished_blocks.load()},
         {"blocks", launch.total_blocks}});
    f->cause = sentence(
        "every thread of the grid has to come to each grid.sync(): no return before it, and no "
        "branch around it");
    return;
  }
  if (warp->polled_object != nullptr && unstarted == 0) {
    const auto bytes = static_cast<int32_t>(warp->object_bytes);
    const std::vector<SentencePart> parts = {{"place", text_of(worker.block.index)},
                                             {"arrivals", warp->object_arrivals},
                                             {"bytes", std::abs(bytes)}};
    f->message = bytes < 0
                     ? sentence(
                           "block {place} waits forever at an mbarrier object: {bytes} bytes "
                           "more than expected came to its phase, and {arrivals} arrivals lack",
                           parts)
                     : sentence(
                           "block {place} waits forever at an mbarrier object: its phase lacks "
                           "{arrivals} arrivals and {bytes} bytes",
                           parts);
    f->cause = bytes != 0
                   ? sentence(
                         "expect_tx must announce exactly the bytes that copies in bulk bring: add "
                         "up their sizes, also of those from other blocks")
                   : sentence(
                         "the count given to mbarrier.init must be the number of arrivals in each "
                         "phase, and the parity that of the phase waited for: 0, then 1, then 0");
    return;
  }
  f->message = sentence(
      "block {place} spins in this loop forever: no running thread changes what it waits for",
      {{"place", text_of(worker.block.index)}});
  add_other_loop(*f);
  if (unstarted > 0) {
    f->message.then(sentence("{blocks} blocks have not begun, since the machine holds {resident} "
                             "of this size at a time",
                             {{"blocks", unstarted}, {"resident", most_resident}}),
                    "; ");
  }
  f->cause = unstarted > 0 ? sentence(
                                 "blocks that wait for blocks that come later: launch no more "
                                 "blocks than are resident together, or split the kernel")
                           : never_set();
}

}  // namespace warpshop::emulator
