// Aligns two films of one warp, from the optimised kernel and from its debug build: which step of
// one is at the same point in the source as a step of the other.
//
// Both builds perform the same accesses to shared and global memory, barriers, shuffles and votes,
// on the same lines with the same addresses. Unless the compiler removed or moved them, the n-th in
// one film is the n-th in the other. The longest ascending chain of such pairs anchors the
// alignment. Between two anchors, the longest common subsequence of the lines that each film
// executes shows how far the source has come. Lanes that ran the same steps form a class, and every
// class has its own chain: the two films may run the paths of a warp in different orders.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/stop.h"
#include "emulator/replay.h"
#include "lab/variables.h"

namespace warpshop::lab {

// What the alignment needs to know about a film.
struct AlignedFilm {
  const std::vector<emulator::ReplayStep>* steps = nullptr;
  const std::vector<emulator::ReplayTrace>* trace = nullptr;
  // Indexed by the module's function and instruction.
  std::vector<std::vector<int>> lines;  // in the student's file; 0: none
  // Its exchange with other lanes, as a number common to both films; 0: none.
  std::vector<std::vector<uint32_t>> joint;
};

class FilmAlignment {
 public:
  struct Place {
    uint32_t lanes = 0;
    // Of the debug film: values are those after it; none: before the first.
    std::optional<uint64_t> step;
    DebugPosition position;
  };

  // The films' data must outlive this. After a stop, some lanes are missing.
  FilmAlignment(AlignedFilm film, AlignedFilm debug, bool debug_truncated,
                const StopFlag* stop = nullptr);
  // Where each class of lanes is after step `step` of the film.
  std::vector<Place> at(uint64_t step) const;

 private:
  struct Lanes {
    uint32_t mask = 0;
    std::vector<std::pair<uint32_t, uint32_t>> all;  // steps of both films, ascending in the first
    std::vector<std::pair<uint32_t, uint32_t>> pairs;  // of these the chain, ascending in both
  };
  // The line changes of a class between two of its pairs, in both films.
  struct Visit {
    uint64_t step = 0;
    int line = 0;
    std::optional<uint64_t> before;  // the lanes' previous step
    int same = -1;                   // index of the matching line change in the debug film
  };
  struct Stretch {
    size_t lanes = 0, next = 0;  // the class, and the pair that ends it
    std::vector<Visit> film, debug;
  };
  Place place_of(size_t index, uint64_t step) const;
  const Stretch& stretch_before(size_t index, size_t next) const;
  // The debug film's step of an access that the compiler swapped with its neighbour in the same
  // statement: before the chain's pair number `next` instead of behind it.
  std::optional<uint64_t> swapped(const Lanes& lanes, uint64_t step, size_t next) const;
  static std::vector<Visit> visits(const AlignedFilm& film, int lane, std::optional<uint64_t> after,
                                   uint64_t end);
  static int last_line(const AlignedFilm& film, int lane, uint64_t step);

  AlignedFilm film_, debug_;
  bool debug_truncated_;
  std::vector<Lanes> classes_;
  mutable std::vector<Stretch> stretches_;  // per class, the last one requested
};

}  // namespace warpshop::lab
