// Two films of one warp, of the optimised kernel and of its debug build, side by side: which step of the one has come as
// far in the source as a step of the other.
//
// Accesses to shared and global memory, barriers, shuffles and votes are done by both, line by line with the same
// addresses: where the compiler did not remove or move them, the n-th of one film is the n-th of the other. The longest
// ascending chain of such pairs is what is relied on. Between two of its pairs, the lines that each film comes to are two
// lists, and what they have in common in the same order says how far the source is.
// Lanes that ran the same steps are one class, and every class has a chain of its own: paths of a warp may come in
// another order in the other film.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/stop.h"
#include "emulator/replay.h"
#include "lab/variables.h"

namespace warpshop::lab {

// What alignment has to know of a film.
struct AlignedFilm {
  const std::vector<emulator::ReplayStep>* steps = nullptr;
  const std::vector<emulator::ReplayTrace>* trace = nullptr;
  // By function of the module and instruction.
  std::vector<std::vector<int>> lines;        // of the student's file; 0: of none
  std::vector<std::vector<uint32_t>> joint;   // what it does with other lanes, as a number that both films share; 0: nothing
};

class FilmAlignment {
 public:
  struct Place {
    uint32_t lanes = 0;
    std::optional<uint64_t> step;             // of the debug film: the values are those after it; none: before all
    DebugPosition position;
  };

  // The films' data must outlive it. After a stop it knows less than all lanes.
  FilmAlignment(AlignedFilm film, AlignedFilm debug, bool debug_truncated, const StopFlag* stop = nullptr);
  // For each class of lanes where it is after step `step` of the film.
  std::vector<Place> at(uint64_t step) const;

 private:
  struct Lanes {
    uint32_t mask = 0;
    std::vector<std::pair<uint32_t, uint32_t>> pairs;   // steps of both films, ascending in both
  };
  // A stretch between two pairs of a class: when its lanes come to another line, in both films.
  struct Visit {
    uint64_t step = 0;
    int line = 0;
    std::optional<uint64_t> before;                     // the lanes' step before it
    int same = -1;                                      // of the film's: which of the debug film's it is
  };
  struct Stretch {
    size_t lanes = 0, next = 0;                         // class, and pair that ends it
    std::vector<Visit> film, debug;
  };
  Place place_of(size_t index, uint64_t step) const;
  const Stretch& stretch_before(size_t index, size_t next) const;
  static std::vector<Visit> visits(const AlignedFilm& film, int lane, std::optional<uint64_t> after, uint64_t end);
  static int last_line(const AlignedFilm& film, int lane, uint64_t step);

  AlignedFilm film_, debug_;
  bool debug_truncated_;
  std::vector<Lanes> classes_;
  mutable std::vector<Stretch> stretches_;              // of each class, that asked for last
};

}  // namespace warpshop::lab
