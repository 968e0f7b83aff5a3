// The debug build's film beside that of the kernel: variables by their names at each step.
#pragma once

#include <memory>

#include "debug_build.h"
#include "lab/film.h"

namespace warpshop::lab {

// `debug` plays the same warp of the same launch as `replay`, which `script` is of; both were asked to keep their traces.
// `script` and `replay` must outlive the result. `launch`: its grid, block and file.
std::unique_ptr<VariableFilm> make_variable_film(const FilmScript& script, const emulator::Replay& replay,
                                                 std::shared_ptr<const DebugBuild> build, emulator::Replay debug,
                                                 const emulator::LaunchConfig& launch, const StopFlag* stop);

// Tells why there are no variables.
std::unique_ptr<VariableFilm> no_variables(std::string problem);

}  // namespace warpshop::lab
