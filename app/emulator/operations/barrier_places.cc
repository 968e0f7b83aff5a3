#include "operations/barrier_places.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "analysis/source_place.h"
#include "checks/note_finding.h"
#include "operations/paths.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

const ptx::SourceLine& line_of_barrier(const Warp& warp) {
  const Path& path = control::path_of_lane(warp, std::countr_zero(warp.barrier_lanes));
  const ptx::Function& function = *warp.frames[path.frame].function->source;
  return function.body[static_cast<size_t>(warp.barrier_op->instruction)].source;
}

// True for two barriers at different places in the source. Copies made by the compiler (unrolled
// loops, duplicated tails) have the same line; an unknown line proves nothing.
bool written_apart(const Warp& one, const Warp& other) {
  if (one.barrier_op == other.barrier_op) return false;
  const ptx::SourceLine& a = line_of_barrier(one);
  const ptx::SourceLine& b = line_of_barrier(other);
  if (a.line == 0 || b.line == 0) return false;
  const bool same_line = a.file == b.file && a.line == b.line;
  const bool same_call = a.call_file == b.call_file && a.call_line == b.call_line;
  return !same_line || !same_call;
}

// "warp 3", "warps 0 to 3, 8 and 9".
Sentence words_of_warps(uint32_t indices) {
  std::vector<Sentence> parts;
  for (uint32_t from = 0; from < 32; ++from) {
    uint32_t end = from;
    while (end < 32 && ((indices >> end) & 1u) != 0) ++end;
    if (end - from > 2) {
      parts.push_back(sentence("{first} to {last}", {{"first", from}, {"last", end - 1}}));
      from = end;
    } else if (end > from) {
      parts.emplace_back(std::to_string(from));
    }
  }
  Sentence list;
  for (size_t n = 0; n + 1 < parts.size(); ++n) list.then(parts[n], ", ");
  list = list.empty()
             ? parts.back()
             : sentence("{list} and {last}", {{"list", std::move(list)}, {"last", parts.back()}});
  return counted(static_cast<uint64_t>(std::popcount(indices)), "warp {list}", "warps {list}",
                 {{"list", std::move(list)}});
}

void report(Warp& there, uint32_t warps_there, const Warp& here, uint32_t warps_here) {
  Finding* f =
      note_finding(there, there.barrier_op, FindingKind::kDivergentBarrier, ptx::Space::kGeneric,
                   "", std::countr_zero(there.barrier_lanes), 1, Severity::kWarning);
  if (f == nullptr) return;
  f->other_who = place_of_lane(here, std::countr_zero(here.barrier_lanes));
  f->other_place = source_place(*here.worker->launch->program->module, line_of_barrier(here));
  f->message = sentence(
      "{these} of the block came to this barrier, {those} to the one in line {line}, and they pass "
      "both as if it were one",
      {{"these", words_of_warps(warps_there)},
       {"those", words_of_warps(warps_here)},
       {"line", f->other_place->line}});
  f->cause = sentence(
      "different __syncthreads() in the branches of an if, or one in a loop that some warps leave "
      "sooner: all threads of a block must reach the same one");
}

}  // namespace

void check_barrier_places(std::span<Warp* const> arrived) {
  const MicroOp* first_op = arrived[0]->barrier_op;
  if (std::all_of(arrived.begin(), arrived.end(),
                  [&](const Warp* w) { return w->barrier_op == first_op; }))
    return;
  // Warps arrive in any order; the message must not depend on it.
  std::vector<Warp*> warps(arrived.begin(), arrived.end());
  std::sort(warps.begin(), warps.end(),
            [](const Warp* a, const Warp* b) { return a->index < b->index; });
  Warp* there = nullptr;
  uint32_t warps_here = 0;
  uint32_t warps_there = 0;
  for (Warp* warp : warps) {
    if (!written_apart(*warps[0], *warp)) {
      warps_here |= 1u << warp->index;
    } else if (there == nullptr || !written_apart(*there, *warp)) {
      if (there == nullptr) there = warp;
      warps_there |= 1u << warp->index;
    }
  }
  if (there != nullptr) report(*there, warps_there, *warps[0], warps_here);
}

void check_barrier_skipped(std::span<Warp* const> arrived, uint32_t ended) {
  if (ended == 0) return;
  const auto first =
      std::min_element(arrived.begin(), arrived.end(),
                       [](const Warp* a, const Warp* b) { return a->index < b->index; });
  Warp& here = **first;
  if ((here.barrier_op->flags & kCommonCodeAfter) == 0) return;
  Finding* f =
      note_finding(here, here.barrier_op, FindingKind::kDivergentBarrier, ptx::Space::kGeneric, "",
                   std::countr_zero(here.barrier_lanes), 1, Severity::kWarning);
  if (f == nullptr) return;
  uint32_t come = 0;
  for (const Warp* warp : arrived) come |= 1u << warp->index;
  f->message = sentence(
      "{these} of the block came to this barrier, {those} went around it and ended the kernel",
      {{"these", words_of_warps(come)}, {"those", words_of_warps(ended)}});
  f->cause = sentence(
      "a __syncthreads() in an if that is not true for all threads of the block, or in a loop that "
      "some warps leave sooner: all threads of a block must reach it equally often");
}

}  // namespace warpshop::emulator
