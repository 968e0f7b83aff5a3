// Opens films of an exercise's kernel at one size.
#pragma once

#include <memory>

#include "lab/film.h"
#include "run/exercise_run.h"

namespace warpshop::lab {

// What the kernel was compiled from: variable names need a second compilation.
struct FilmText {
  compile::Compiler compiler;
  compile::CompileInput input;
};

// `run`: a launch that was not refused.
std::shared_ptr<const FilmSource> make_film_source(std::shared_ptr<const CompiledKernel> kernel,
                                                   FilmText text, const Exercise& exercise,
                                                   const ProblemSize& size, const KernelRun& run,
                                                   const models::GpuProfile& gpu,
                                                   uint64_t instruction_budget);

}  // namespace warpshop::lab
