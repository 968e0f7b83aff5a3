// Names the variables at each step of a kernel's film, using a film of its debug build.
#pragma once

#include <memory>

#include "lab/film.h"
#include "run/debug_build.h"

namespace warpshop::lab {

// `debug` replays the same warp of the same launch as `replay`, to which `script` belongs; both
// must have kept their traces. `script` and `replay` must outlive the result. `launch`: grid, block
// and file.
std::unique_ptr<VariableFilm> make_variable_film(const FilmScript& script,
                                                 const emulator::Replay& replay,
                                                 std::shared_ptr<const DebugBuild> build,
                                                 emulator::Replay debug,
                                                 const emulator::LaunchConfig& launch,
                                                 const StopFlag* stop);

// A film without variables that reports why.
std::unique_ptr<VariableFilm> no_variables(std::string problem);

}  // namespace warpshop::lab
