#include "models/index_advice.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <set>
#include <vector>

#include "models/coalescer.h"

namespace warpshop::models {
namespace {

struct LaneAddress {
  int lane = 0;
  uint64_t address = 0;
};

// "3 elements", or bytes if the step is not a whole number of elements.
Sentence step_words(int64_t step, uint32_t width) {
  const auto size = static_cast<uint64_t>(std::llabs(step));
  if (size % width != 0) return counted(size, "{count} byte", "{count} bytes");
  return counted(size / width, "{count} element", "{count} elements");
}

// Finds the constant step in bytes between neighbouring active lanes. False if there is none.
bool one_step(const std::vector<LaneAddress>& lanes, int64_t* step) {
  const auto distance = [&](size_t i) {
    return static_cast<int64_t>(lanes[i].address - lanes[0].address);
  };
  const int lane_distance = lanes[1].lane - lanes[0].lane;
  if (distance(1) % lane_distance != 0) return false;
  *step = distance(1) / lane_distance;
  for (size_t i = 1; i < lanes.size(); ++i) {
    if (distance(i) != *step * (lanes[i].lane - lanes[0].lane)) return false;
  }
  return true;
}

// Finds equally long runs of lanes (the last may be shorter), each lane `step` bytes after the one
// before, with a constant jump between runs.
bool equal_runs(const std::vector<LaneAddress>& lanes, int64_t step, int* run, int64_t* jump) {
  std::vector<size_t> begins = {0};
  for (size_t i = 1; i < lanes.size(); ++i) {
    const auto distance = static_cast<int64_t>(lanes[i].address - lanes[i - 1].address);
    if (lanes[i].lane != lanes[i - 1].lane + 1 || distance != step) begins.push_back(i);
  }
  if (begins.size() < 2 || begins[1] < 2) return false;
  *run = static_cast<int>(begins[1]);
  *jump = static_cast<int64_t>(lanes[begins[1]].address - lanes[begins[1] - 1].address);
  for (size_t r = 1; r < begins.size(); ++r) {
    const size_t length = (r + 1 < begins.size() ? begins[r + 1] : lanes.size()) - begins[r];
    const auto here = static_cast<int64_t>(lanes[begins[r]].address - lanes[begins[r] - 1].address);
    const bool is_last = r + 1 == begins.size();
    if (here != *jump || (length != begins[1] && !(is_last && length < begins[1]))) return false;
  }
  return true;
}

// False if an access that starts inside a sector needs no more sectors than an aligned one would.
bool costs_a_sector_more(const std::vector<LaneAddress>& lanes, uint32_t width) {
  const uint64_t first = lanes.front().address;
  const uint64_t bytes = lanes.size() * width;
  const uint64_t touched = (first + bytes - 1) / kSectorBytes - first / kSectorBytes + 1;
  return touched > (bytes + kSectorBytes - 1) / kSectorBytes;
}

std::set<uint64_t> places_of(const std::vector<LaneAddress>& lanes) {
  std::set<uint64_t> places;
  for (const LaneAddress& lane : lanes) places.insert(lane.address);
  return places;
}

// True if the elements fill a range without gaps.
bool fill_a_range(const std::set<uint64_t>& places, uint32_t width) {
  const uint64_t span = *places.rbegin() - *places.begin() + width;
  if (span != places.size() * width) return false;
  return std::all_of(places.begin(), places.end(),
                     [&](uint64_t place) { return (place - *places.begin()) % width == 0; });
}

}  // namespace

IndexAdvice advise_index(const WarpRequestView& request) {
  std::vector<LaneAddress> lanes;
  for (uint32_t left = request.active_mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    lanes.push_back({lane, request.address[lane]});
  }
  IndexAdvice advice;
  if (lanes.size() < 2) {
    advice.text = lanes.empty() ? sentence("No lane is active.")
                                : sentence("Only one lane is active: nothing to coalesce.");
    return advice;
  }
  const auto width = static_cast<int64_t>(request.width_bytes);
  int64_t step = 0;
  if (one_step(lanes, &step)) {
    advice.factor_bytes = step;
    advice.run_lanes = static_cast<int>(lanes.size());
    if (step == 0) {
      advice.form = IndexForm::kUniform;
      advice.text = sentence(
          "The index does not depend on threadIdx.x: all lanes read one element, and one sector "
          "serves them.");
    } else if (step == width) {
      advice.form = IndexForm::kNeighbours;
      advice.misaligned_bytes = static_cast<uint32_t>(lanes[0].address % kSectorBytes);
      advice.text =
          sentence("The index has the form (independent of threadIdx.x) + threadIdx.x: coalesced.");
      if (costs_a_sector_more(lanes, request.width_bytes)) {
        advice.text.then(
            counted(advice.misaligned_bytes,
                    "It starts {count} byte into a sector, which costs one extra sector.",
                    "It starts {count} bytes into a sector, which costs one extra sector."));
      }
    } else if (step == -width) {
      advice.form = IndexForm::kBackwards;
      advice.text = sentence(
          "The index has the form base - threadIdx.x: the sectors are those of base + threadIdx.x, "
          "but compute capability 1.0 and 1.1 would not coalesce it.");
    } else {
      advice.form = IndexForm::kStrided;
      advice.text = sentence(
          "threadIdx.x is multiplied by a factor in the index: each lane is {step} after the one "
          "before. Give threadIdx.x the factor 1, and move the factor to something that is the "
          "same for all lanes.",
          {{"step", step_words(step, request.width_bytes)}});
    }
    return advice;
  }
  int run = 0;
  int64_t jump = 0;
  if (equal_runs(lanes, width, &run, &jump)) {
    advice.form = IndexForm::kRows;
    advice.run_lanes = run;
    advice.factor_bytes = jump;
    const CoalescerCounts counts = count_sectors(request);
    advice.text =
        counts.sectors <= counts.ideal_sectors
            ? sentence(
                  "{lanes} lanes at a time are contiguous, then the index jumps. Each run fills "
                  "whole sectors, so nothing is lost.",
                  {{"lanes", run}})
            : sentence(
                  "Only {lanes} lanes are contiguous, then the index jumps. Block rows narrower "
                  "than 32 threads do that (make them wider), and so do / and % in the index and "
                  "the rows of a matrix fragment.",
                  {{"lanes", run}});
    return advice;
  }
  if (const std::set<uint64_t> places = places_of(lanes);
      fill_a_range(places, request.width_bytes)) {
    advice.form = IndexForm::kPermuted;
    advice.text =
        places.size() < lanes.size()
            ? sentence(
                  "Several lanes access the same element: {lanes} lanes share {count} neighbouring "
                  "ones, and each is moved once.",
                  {{"lanes", static_cast<int>(lanes.size())},
                   {"count", static_cast<int>(places.size())}})
            : sentence(
                  "The lanes access neighbouring elements, but not in lane order: the same sectors "
                  "today, one transaction per lane on compute capability 1.0 and 1.1.");
    return advice;
  }
  step = static_cast<int64_t>(lanes[1].address - lanes[0].address);
  if (equal_runs(lanes, step, &run, &jump)) {
    advice.run_lanes = run;
    advice.factor_bytes = step;
    advice.form = step == 0 ? IndexForm::kUniform : IndexForm::kStrided;
    advice.text =
        step == 0
            ? sentence(
                  "{lanes} lanes at a time access one element, then the index jumps: the warp "
                  "covers "
                  "several rows of the block, or the index divides threadIdx.x.",
                  {{"lanes", run}})
            : sentence(
                  "threadIdx.x is multiplied by a factor in the index: of {lanes} lanes at a time, "
                  "each is {step} after the one before; then the index jumps: the warp covers "
                  "several rows of the block, or the index has / or %. Give threadIdx.x the factor "
                  "1, and move the factor to something that is the same for all lanes.",
                  {{"lanes", run}, {"step", step_words(step, request.width_bytes)}});
    return advice;
  }
  advice.form = IndexForm::kScattered;
  advice.text = sentence(
      "The index has no constant stride from lane to lane: it depends on data, or on threadIdx.x "
      "through something other than + and ×.");
  return advice;
}

}  // namespace warpshop::models
