// Moving through a film: the next access, the next divergence, the next finding, another line. No
// drawing.
#pragma once

#include <cstddef>
#include <optional>

#include "lab/film.h"
#include "maps/access_index.h"

namespace warpshop::ui {

enum class FilmEvent { kStep, kLine, kAccess, kDivergence, kFinding };

// The nearest step after (`by` > 0) or before (`by` < 0) `step` at which that happens; none: there
// is none that way. Lines are those of thread `lane` where it is not negative: it stops where the
// thread comes to another line, both ways.
std::optional<size_t> next_in_film(const lab::FilmScript& film, size_t step, FilmEvent event,
                                   int by, int lane = -1);

// The nearest step after or before `step` at which the warp comes to that line of the source;
// `step` none: its first.
std::optional<size_t> step_at_line(const lab::FilmScript& film, std::optional<size_t> step,
                                   int line, int by);

// The step of the film that made a recorded access, counted among all of the warp's; none: the film
// ends before.
std::optional<size_t> step_of_access(const lab::FilmScript& film, uint64_t access);

// The first record of the warp that `record` belongs to; accesses count from it.
size_t first_record_of_warp(const lab::KernelRun& run, size_t record);

// What the maps show at a step: the entry of its first access; none: the step touches no memory
// that they draw.
std::optional<size_t> entry_at_step(const lab::KernelRun& run, const AccessIndex& index,
                                    size_t near, const lab::FilmScript& film, size_t step);

}  // namespace warpshop::ui
