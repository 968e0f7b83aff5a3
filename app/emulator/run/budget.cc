#include "run/budget.h"

#include <bit>

#include "analysis/source_place.h"
#include "checks/note_finding.h"
#include "checks/words.h"
#include "operations/spin.h"
#include "run/suspended_blocks.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

// A slice ends at a block header, which has no source line; use the next instruction's.
const MicroOp* instruction_at(const Warp& warp) {
  const MicroOp* at = warp.pc;
  while (at != nullptr && at->instruction < 0 &&
         at < warp.function->code.data() + warp.function->code.size() - 1)
    ++at;
  return at;
}

void report_timeout(EmulationThread& worker, Warp& warp) {
  if (report_deadlock(worker)) return;
  const MicroOp* at = instruction_at(warp);
  Finding* f = at == nullptr ? nullptr
                             : note_finding(warp, at, FindingKind::kTimeout, ptx::Space::kGeneric,
                                            "", warp.mask == 0 ? 0 : std::countr_zero(warp.mask));
  if (f == nullptr) return;
  if (at->instruction >= 0) {
    f->place = nearest_place(*worker.launch->program->module, *warp.function->source,
                             static_cast<size_t>(at->instruction));
  }
  f->message = sentence(
      "stopped after {budget} thread instructions (32 for each instruction of a warp): the kernel "
      "did not end, and {thread} of {block} was here",
      {{"budget", count_words(worker.launch->options->instruction_budget)},
       {"thread", thread_words(f->who)},
       {"block", block_words(f->who.block)}});
  f->cause = sentence(
      "a loop whose condition never becomes false, or a problem that is too large: look at what "
      "changes the condition in each iteration");
  if (warp.polls && worker.suspended != nullptr) worker.suspended->add_other_loop(*f);
}

}  // namespace

bool report_deadlock(EmulationThread& worker) {
  for (const auto& warp : worker.running) {
    const SpinDeadlock stuck = spin_deadlock_of(*warp);
    const MicroOp* at = instruction_at(*warp);
    if (stuck.waiting == 0 || at == nullptr) continue;
    Finding* f = note_finding(*warp, at, FindingKind::kDeadlock, ptx::Space::kGeneric, "",
                              std::countr_zero(stuck.spinning),
                              static_cast<uint64_t>(std::popcount(stuck.spinning)));
    if (f == nullptr) return true;
    f->other_who = place_of_lane(*warp, std::countr_zero(stuck.waiting));
    if (stuck.waiting_at.line > 0) f->other_place = stuck.waiting_at;
    f->message = sentence(
        "{spinning} threads of a warp spin in this loop forever; {waiting} threads of the same "
        "warp wait for them to leave it",
        {{"spinning", std::popcount(stuck.spinning)}, {"waiting", std::popcount(stuck.waiting)}});
    if (stuck.waiting_at.line > 0)
      f->message.then(sentence("at line {line}", {{"line", stuck.waiting_at.line}}), ", ");
    f->cause =
        worker.launch->options->limits.independent_threads
            ? never_set()
            : sentence(
                  "a lock or a flag between threads of one warp: before compute capability 7.0 the "
                  "thread that would open it does not run until the others leave the loop; put the "
                  "protected work inside the loop, or let one thread of the warp take the lock");
    return true;
  }
  return false;
}

bool within_budget(EmulationThread& worker, Warp& warp) {
  Launch& launch = *worker.launch;
  // A warp costs the emulator the same however many of its lanes run, so it is charged for 32.
  uint64_t lanes = 0;
  for (size_t b = 0; b < worker.counts.size(); ++b) {
    lanes += kWarpSize * worker.counts[b].warps *
             launch.program->block_instructions[b].instructions.size();
  }
  const uint64_t sum =
      launch.lanes_executed.fetch_add(lanes - worker.counted_lanes) + lanes - worker.counted_lanes;
  worker.counted_lanes = lanes;
  if (launch.options->stop != nullptr && launch.options->stop->requested()) {
    launch.user_stopped.store(true);
    launch.halt.store(true);
    return false;
  }
  if (sum > launch.options->instruction_budget) {
    if (!launch.halt.exchange(true)) report_timeout(worker, warp);
    return false;
  }
  return true;
}

}  // namespace warpshop::emulator
