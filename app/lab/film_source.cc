#include "film_source.h"

#include <utility>

namespace warpshop::lab {
namespace {

std::shared_ptr<const FilmScript> script_of(const CompiledKernel& kernel, uint64_t block,
                                            uint32_t warp, const emulator::Replay& replay) {
  auto script = std::make_shared<FilmScript>();
  script->block = block;
  script->warp = warp;
  script->steps = replay.steps();
  script->truncated = replay.truncated();
  const ptx::Module& module = kernel.program.module();
  for (const ptx::Function& function : module.functions) {
    std::vector<FilmInstruction>& out = script->functions.emplace_back();
    for (const ptx::Instruction& instruction : function.body) {
      std::string guard;
      if (instruction.guard_register >= 0) {
        guard = std::string(instruction.guard_negated ? "@!" : "@") +
                function.registers[static_cast<size_t>(instruction.guard_register)].name + " ";
      }
      out.push_back({line_in_file(module, instruction.source, kernel.file->file_name),
                     instruction.ptx_line, guard + instruction.text});
    }
  }
  return script;
}

class ExerciseFilms final : public FilmSource {
 public:
  ExerciseFilms(std::shared_ptr<const CompiledKernel> kernel, Exercise exercise, ProblemSize size,
                emulator::LaunchConfig shape, emulator::MachineLimits limits, uint64_t budget)
      : kernel_(std::move(kernel)),
        exercise_(std::move(exercise)),
        size_(std::move(size)),
        shape_(std::move(shape)),
        limits_(limits),
        budget_(budget) {}

  Result<Film> open(uint64_t block, uint32_t warp, const StopFlag* stop) const override {
    Result<PreparedLaunch> prepared = prepare_launch(exercise_, size_);
    if (!prepared.ok()) return prepared.errors();
    emulator::LaunchConfig config = shape_;
    config.args = std::move(prepared->args);
    config.textures = &prepared->textures;  // the replay takes a copy
    emulator::ReplayOptions options;
    options.limits = limits_;
    options.block = block;
    options.warp = warp;
    options.instruction_budget = budget_;
    options.stop = stop;
    Result<emulator::Replay> replay = emulator::Replay::open(
        kernel_->program, std::move(prepared->memory), std::move(config), options);
    if (!replay.ok()) return replay.errors();
    std::shared_ptr<const FilmScript> script = script_of(*kernel_, block, warp, *replay);
    return Film(std::move(script), std::move(*replay));
  }

 private:
  std::shared_ptr<const CompiledKernel> kernel_;
  Exercise exercise_;
  ProblemSize size_;
  emulator::LaunchConfig shape_;
  emulator::MachineLimits limits_;
  uint64_t budget_;
};

}  // namespace

std::shared_ptr<const FilmSource> make_film_source(std::shared_ptr<const CompiledKernel> kernel,
                                                   const Exercise& exercise,
                                                   const ProblemSize& size, const KernelRun& run,
                                                   const models::GpuProfile& gpu,
                                                   uint64_t instruction_budget) {
  emulator::LaunchConfig shape;
  shape.grid = run.grid;
  shape.block = run.block;
  shape.dynamic_shared_bytes = run.dynamic_shared_bytes;
  return std::make_shared<ExerciseFilms>(std::move(kernel), exercise, size, std::move(shape),
                                         limits_of(gpu), instruction_budget);
}

}  // namespace warpshop::lab
