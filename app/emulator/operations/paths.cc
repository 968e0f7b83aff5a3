#include "operations/paths.h"

#include <algorithm>
#include <bit>
#include <string>

#include "checks/note_finding.h"
#include "checks/words.h"
#include "operations/control.h"
#include "operations/convergence.h"
#include "operations/frame.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator::control {
namespace {

void drop_empty(Warp& warp) {
  std::erase_if(warp.paths, [](const Path& path) { return path.mask == 0; });
}

// The subtree of the path is paths [first, end).
size_t end_of_tree(const Warp& warp, size_t first) {
  size_t end = first + 1;
  while (end < warp.paths.size() && (warp.paths[end].mask & warp.paths[first].mask) != 0) ++end;
  return end;
}

size_t parent_of(const Warp& warp, size_t path) {
  for (size_t n = path; n-- > 0;) {
    if ((warp.paths[n].mask & warp.paths[path].mask) != 0) return n;
  }
  return warp.paths.size();
}

// Moves the leaf to the end, and each subtree that contains it after its siblings.
void bring_to_top(Warp& warp, uint32_t lanes) {
  size_t level = 0;
  while (level < warp.paths.size()) {
    size_t first = level;
    size_t end = end_of_tree(warp, first);
    while ((warp.paths[first].mask & lanes) == 0) {
      first = end;
      end = end_of_tree(warp, first);
    }
    const size_t count = end - first;
    std::rotate(warp.paths.begin() + static_cast<ptrdiff_t>(first),
                warp.paths.begin() + static_cast<ptrdiff_t>(end), warp.paths.end());
    level = warp.paths.size() - count + 1;
  }
}

const MicroOp* run_top(Warp& warp) {
  if (warp.top().frame != warp.frame_index) enter_frame(warp, warp.top().frame);
  set_mask(warp, warp.top().mask);
  return warp.top().pc;
}

const MicroOp* report_divergent_barrier(Warp& warp) {
  const uint32_t missing = warp.live & ~warp.barrier_lanes;
  const int arrived = std::countr_zero(warp.barrier_lanes);
  enter_frame(warp, path_of_lane(warp, arrived).frame);
  if (Finding* f = note_finding(warp, warp.barrier_op, FindingKind::kDivergentBarrier,
                                ptx::Space::kGeneric, "", arrived)) {
    const int absent = std::countr_zero(missing);
    f->other_who = place_of_lane(warp, absent);
    const SourcePlace other = source_of(warp, path_of_lane(warp, absent));
    if (other.line > 0 && !(other == f->place)) f->other_place = other;
    f->message = sentence(
        "{waiting} of the warp's {all} threads wait at this barrier; {who} went another way and "
        "never comes",
        {{"waiting", std::popcount(warp.barrier_lanes)},
         {"all", std::popcount(warp.live)},
         {"who", thread_words(*f->other_who)}});
    f->cause = sentence(
        "a __syncthreads() inside an if or a loop that not every thread of the block enters: move "
        "it out, so that all threads reach it");
  }
  fail_launch(warp);
  return finish(warp);
}

// Picks the path to run when the top one cannot: the closest leaf that can.
const MicroOp* run_another(Warp& warp) {
  drop_empty(warp);
  for (;;) {
    for (size_t n = warp.paths.size(); n-- > 0;) {
      if (is_leaf(warp, n) && warp.paths[n].wait == Wait::kNothing)
        return run_leaf(warp, warp.paths[n].mask);
    }
    // Stop waiting for lanes that have exited.
    for (size_t n = warp.paths.size(); n-- > 0;) {
      if (!is_leaf(warp, n) || warp.paths[n].wait != Wait::kLanes ||
          !all_arrived(warp, warp.paths[n]))
        continue;
      warp.paths[n].wait = Wait::kNothing;
      const uint32_t lanes = warp.paths[n].mask;
      const MicroOp* op = run_leaf(warp, lanes);
      note_exited_members(warp, op);
      return op;
    }
    if (warp.barrier_lanes == warp.live) {
      warp.status = WarpStatus::kWaiting;
      return nullptr;
    }
    const bool may_go_ahead =
        std::any_of(warp.paths.begin(), warp.paths.end(), [&](const Path& path) {
          return path.wait == Wait::kLanes ||
                 (path.wait == Wait::kBarrier && (warp.barrier_op->flags & kAnyLanes));
        });
    const uint32_t released =
        may_go_ahead && has_independent_lanes(warp) ? release_arrived(warp) : 0;
    warp.released |= released;
    if (released != 0) continue;
    // Lanes at a barrier cannot help those that wait for them in a shuffle or vote: name the
    // latter.
    const auto needs_lanes =
        std::find_if(warp.paths.rbegin(), warp.paths.rend(),
                     [](const Path& path) { return path.wait == Wait::kLanes; });
    if (needs_lanes == warp.paths.rend()) return report_divergent_barrier(warp);
    bring_to_top(warp, needs_lanes->mask);
    return report_missed_convergence(warp);
  }
}

}  // namespace

bool has_independent_lanes(const Warp& warp) {
  return warp.worker->launch->options->limits.independent_threads;
}

bool is_leaf(const Warp& warp, size_t path) {
  return path + 1 == warp.paths.size() || (warp.paths[path + 1].mask & warp.paths[path].mask) == 0;
}

const Path& path_of_lane(const Warp& warp, int lane) {
  size_t n = warp.paths.size() - 1;
  while (n > 0 && ((warp.paths[n].mask >> lane) & 1u) == 0) --n;
  return warp.paths[n];
}

SourcePlace source_of(const Warp& warp, const Path& path) { return source_of(warp, path, path.pc); }

SourcePlace source_of(const Warp& warp, const Path& path, const MicroOp* at) {
  const DecodedFunction& function = *warp.frames[path.frame].function;
  const MicroOp* end = function.code.data() + function.code.size();
  while (at != nullptr && at < end && at->instruction < 0) ++at;
  if (at == nullptr || at >= end) return {};
  const ptx::SourceLine line = function.source->body[static_cast<size_t>(at->instruction)].source;
  const auto& files = warp.worker->launch->program->module->files;
  const auto file = files.find(line.file);
  return {
      .file = file == files.end() ? "" : file->second, .line = line.line, .column = line.column};
}

const MicroOp* finish(Warp& warp) {
  warp.status = WarpStatus::kDone;
  warp.worker->longest_warp = std::max(warp.worker->longest_warp, warp.instructions);
  const auto work = static_cast<double>(warp.instructions);
  warp.worker->squared_work += work * work;
  warp.paths.clear();
  return nullptr;
}

const MicroOp* resume(Warp& warp) {
  while (!warp.paths.empty() && warp.top().mask == 0) warp.paths.pop_back();
  if (warp.paths.empty()) return finish(warp);
  if (warp.frames.size() > 1) drop_frames(warp);
  return warp.top().wait == Wait::kNothing ? run_top(warp) : run_another(warp);
}

const MicroOp* run_leaf(Warp& warp, uint32_t lanes) {
  bring_to_top(warp, lanes);
  return run_top(warp);
}

uint32_t release_arrived(Warp& warp) {
  drop_empty(warp);
  for (size_t n = warp.paths.size(); n-- > 0;) {
    uint32_t on_the_way = 0;
    for (size_t child = n + 1; child < end_of_tree(warp, n); ++child)
      on_the_way |= warp.paths[child].mask;
    const uint32_t arrived = warp.paths[n].mask & ~on_the_way;
    if (on_the_way == 0 || arrived == 0) continue;
    Path ahead = warp.paths[n];
    ahead.mask = arrived;
    warp.paths[n].mask = on_the_way;
    warp.paths.insert(warp.paths.begin() + static_cast<ptrdiff_t>(n), ahead);
    return arrived;
  }
  return 0;
}

void merge_leaves(Warp& warp) {
  drop_empty(warp);
  for (size_t n = warp.paths.size(); n-- > 0;) {
    if (!is_leaf(warp, n) || warp.paths[n].wait != Wait::kNothing) continue;
    for (size_t m = n; m-- > 0;) {
      const Path& twin = warp.paths[m];
      Path& kept = warp.paths[n];
      if (!is_leaf(warp, m) || twin.wait != Wait::kNothing || twin.pc != kept.pc ||
          twin.frame != kept.frame || twin.reconvergence != kept.reconvergence ||
          parent_of(warp, m) != parent_of(warp, n)) {
        continue;
      }
      kept.mask |= twin.mask;
      warp.paths.erase(warp.paths.begin() + static_cast<ptrdiff_t>(m));
      --n;
    }
  }
}

}  // namespace warpshop::emulator::control
