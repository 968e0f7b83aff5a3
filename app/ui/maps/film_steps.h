// Steps through a film: to the next access, divergence, finding or line. No drawing.
#pragma once

#include <cstddef>
#include <optional>

#include "lab/film.h"
#include "maps/access_index.h"

namespace warpshop::ui {

enum class FilmEvent { kStep, kLine, kAccess, kDivergence, kFinding };

// The nearest step after (`by` > 0) or before (`by` < 0) `step` at which the event happens; nullopt
// if there is none in that direction. If `lane` is not negative, lines are those of its thread: it
// stops where the thread reaches another line, in either direction.
std::optional<size_t> next_in_film(const lab::FilmScript& film, size_t step, FilmEvent event,
                                   int by, int lane = -1);

// The nearest step after or before `step` at which the warp reaches that line of the source;
// without `step`, the first such step.
std::optional<size_t> step_at_line(const lab::FilmScript& film, std::optional<size_t> step,
                                   int line, int by);

// The step of the film that made the warp's recorded access
// number `access`; nullopt if the film ends before it.
std::optional<size_t> step_of_access(const lab::FilmScript& film, uint64_t access);

// The first record of the warp to which `record` belongs; accesses are numbered from it.
size_t first_record_of_warp(const lab::KernelRun& run, size_t record);

// The entry that the maps show at a step: its first access;
// nullopt if the step touches no memory that they draw.
std::optional<size_t> entry_at_step(const lab::KernelRun& run, const AccessIndex& index,
                                    size_t near, const lab::FilmScript& film, size_t step);

}  // namespace warpshop::ui
