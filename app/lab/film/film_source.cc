#include "film/film_source.h"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "compile/cuda_tokens.h"
#include "compile/device_source.h"
#include "core/lines.h"
#include "emulator/launch.h"
#include "film/variable_film.h"
#include "run/debug_build.h"

namespace warpshop::lab {
namespace {

constexpr uint64_t kTracedAccesses = 1 << 17;  // 18 MB per film
// The debug build executes about three times as many instructions.
constexpr uint64_t kDebugSteps = 1 << 21;

// How often statements of the source call the function that they call most often.
class CallCounts {
 public:
  explicit CallCounts(std::string_view source) : source_(source) {}

  // The statement for which an instruction was inlined; at least 1.
  size_t in(const ptx::SourceLine& inlined) {
    const auto [known, fresh] = counts_.try_emplace(inlined.call_line, 1);
    if (!fresh) return known->second;
    const size_t at = offset_of_line(source_, inlined.call_line);
    if (at == std::string::npos) return 1;
    constexpr size_t kLongestStatement = 4096;
    const std::vector<compile::CudaToken> tokens =
        compile::cuda_tokens(source_.substr(at, kLongestStatement));
    std::map<std::string_view, size_t> calls;
    int depth = 0;  // of parentheses: those of a for have semicolons in them
    for (size_t n = 0; n + 1 < tokens.size() && (depth > 0 || !tokens[n].is(";")); ++n) {
      depth += tokens[n].is("(") ? 1 : tokens[n].is(")") ? -1 : 0;
      if (tokens[n].kind == compile::TokenKind::kName && tokens[n + 1].is("("))
        known->second = std::max(known->second, ++calls[tokens[n].text]);
    }
    return known->second;
  }

 private:
  std::string_view source_;
  std::map<int, size_t> counts_;  // by line
};

// The kernel's parameters as the source names them.
std::vector<std::string> parameter_names(std::string_view source, const CompiledKernel& kernel) {
  std::vector<std::string> out;
  for (const compile::SourceKernel& found : compile::kernels_of(source, kernel.file->file_name)) {
    if (found.name != kernel.name && found.scope + found.name != kernel.name) continue;
    for (const compile::SourceParameter& parameter : found.parameters)
      out.push_back(parameter.name);
    break;
  }
  return out;
}

// "ld.param.u32 %r2, [n]" for the compiler's "ld.param.u32 %r2, [_Z5twicePKfPfi_param_2]".
std::string with_parameters(std::string text, const std::string& function,
                            const std::vector<std::string>& names) {
  const std::string prefix = function + "_param_";
  const size_t at = text.find(prefix);
  if (at == std::string::npos) return text;
  size_t end = at + prefix.size();
  size_t index = 0;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9')
    index = index * 10 + static_cast<size_t>(text[end++] - '0');
  const bool named = index < names.size() && !names[index].empty();
  return text.replace(at, end - at, named ? names[index] : "param_" + std::to_string(index));
}

std::shared_ptr<const FilmScript> script_of(const CompiledKernel& kernel, std::string_view source,
                                            uint64_t block, uint32_t warp,
                                            const emulator::Replay& replay) {
  CallCounts calls(source);
  const std::vector<std::string> parameters = parameter_names(source, kernel);
  auto script = std::make_shared<FilmScript>();
  script->block = block;
  script->warp = warp;
  script->steps = replay.steps();
  script->truncated = replay.truncated();
  script->shared_arrays = kernel.program.shared_arrays();
  const ptx::Module& module = kernel.program.module();
  for (const ptx::Function& function : module.functions) {
    std::vector<FilmInstruction>& out = script->functions.emplace_back();
    std::map<std::string, size_t> copies;  // so far, by place
    for (const ptx::Instruction& instruction : function.body) {
      std::string guard;
      if (instruction.guard_register >= 0) {
        guard = std::string(instruction.guard_negated ? "@!" : "@") +
                function.registers[static_cast<size_t>(instruction.guard_register)].name + " ";
      }
      std::string place = instruction.text.substr(0, instruction.text.find(' ')) + ' ' +
                          std::to_string(instruction.source.column);
      if (instruction.source.call_file != 0) {
        // Several calls of a function are inlined as copies, too, but are not iterations.
        place += " called in line " + std::to_string(instruction.source.call_line);
        place += ", call " + std::to_string(copies[place]++ % calls.in(instruction.source));
      }
      out.push_back(
          {line_in_file(module, instruction.source, kernel.file->file_name), instruction.ptx_line,
           guard + with_parameters(instruction.text, function.name, parameters), std::move(place)});
    }
  }
  return script;
}

// Records the last store to a range of global memory.
class WriterWatch final : public emulator::AccessSink, public emulator::AccessSinkFactory {
 public:
  WriterWatch(uint64_t address, uint64_t bytes) : address_(address), bytes_(bytes) {}

  emulator::AccessSink* make_sink(const std::vector<emulator::AccessSite>&, int) override {
    return this;
  }

  void on_access(const emulator::WarpIdentity& warp, const emulator::AccessSite& site,
                 const emulator::WarpAccess& access) override {
    const uint32_t number = accesses_[{warp.linear_block, warp.warp}]++;
    if (access.space != ptx::Space::kGlobal || site.kind == emulator::AccessKind::kLoad) return;
    // If several lanes store to one address, the highest lane's store lands last.
    for (uint32_t left = access.active_mask; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const uint64_t at = access.address[static_cast<size_t>(lane)];
      if (at >= address_ + bytes_ || address_ >= at + site.width_bytes()) continue;
      writer_ = ElementWriter{warp.linear_block, warp.warp, lane, number};
    }
  }

  const std::optional<ElementWriter>& writer() const { return writer_; }

 private:
  struct Warp {
    uint64_t block = 0;
    uint32_t warp = 0;
    bool operator==(const Warp&) const = default;
  };
  struct Hash {
    size_t operator()(const Warp& warp) const {
      return std::hash<uint64_t>{}(warp.block * 64 + warp.warp);
    }
  };
  uint64_t address_, bytes_;
  std::unordered_map<Warp, uint32_t, Hash> accesses_;  // per warp, so far
  std::optional<ElementWriter> writer_;
};

class ExerciseFilms final : public FilmSource, public std::enable_shared_from_this<ExerciseFilms> {
 public:
  ExerciseFilms(std::shared_ptr<const CompiledKernel> kernel, FilmText text, Exercise exercise,
                ProblemSize size, emulator::LaunchConfig shape, emulator::MachineLimits limits,
                uint64_t budget)
      : kernel_(std::move(kernel)),
        text_(std::move(text)),
        exercise_(std::move(exercise)),
        size_(std::move(size)),
        shape_(std::move(shape)),
        limits_(limits),
        budget_(budget) {}

  Result<Film> open(uint64_t block, uint32_t warp, const StopFlag* stop) const override {
    emulator::ReplayOptions options;
    options.block = block;
    options.warp = warp;
    options.stop = stop;
    Result<emulator::Replay> replay = replay_of(kernel_->program, options);
    if (!replay.ok()) return replay.errors();
    std::shared_ptr<const FilmScript> script =
        script_of(*kernel_, text_.input.source, block, warp, *replay);
    return Film(std::move(script), std::move(*replay),
                [self = shared_from_this()](const FilmScript& film, const emulator::Replay& of_film,
                                            const StopFlag* until) {
                  return self->open_variables(film, of_film, until);
                });
  }

  Result<std::optional<ElementWriter>> writer_of(const std::string& argument, uint64_t element,
                                                 const StopFlag* stop) const override {
    Result<PreparedLaunch> prepared = prepare_launch(exercise_, size_);
    if (!prepared.ok()) return prepared.errors();
    const auto arg =
        std::find_if(exercise_.args.begin(), exercise_.args.end(),
                     [&](const KernelArg& a) { return a.output && a.name == argument; });
    if (arg == exercise_.args.end())
      return make_error("film", "the kernel has no output '" + argument + "'");
    const PlacedBytes& place = prepared->buffers[static_cast<size_t>(arg - exercise_.args.begin())];
    if (place.array >= 0) return std::optional<ElementWriter>();
    const auto size = static_cast<uint64_t>(size_bytes(arg->type));
    if (element >= bytes_of(place, prepared->memory, prepared->textures).size() / size) {
      return make_error("film", "'" + argument + "' has no element " + std::to_string(element));
    }
    WriterWatch watch(place.base + element * size, size);
    emulator::LaunchConfig config = shape_;
    config.args = std::move(prepared->args);
    config.textures = &prepared->textures;
    emulator::LaunchOptions options;
    options.limits = limits_;
    options.threads = 1;  // runs the blocks in index order
    options.instruction_budget = budget_;
    options.watch_global_races = false;
    options.accesses = &watch;
    options.stop = stop;
    const Result<emulator::LaunchResult> launched =
        emulator::launch(kernel_->program, prepared->memory, config, options);
    if (!launched.ok()) return launched.errors();
    if (launched->stopped) return make_error("film", "stopped");
    return watch.writer();
  }

 private:
  Result<emulator::Replay> replay_of(const emulator::Program& program,
                                     emulator::ReplayOptions options) const {
    Result<PreparedLaunch> prepared = prepare_launch(exercise_, size_);
    if (!prepared.ok()) return prepared.errors();
    emulator::LaunchConfig config = shape_;
    config.args = std::move(prepared->args);
    config.textures = &prepared->textures;  // the replay copies them
    options.limits = limits_;
    options.instruction_budget = budget_;
    options.max_trace = kTracedAccesses;
    return emulator::Replay::open(program, std::move(prepared->memory), std::move(config), options);
  }

  std::unique_ptr<VariableFilm> open_variables(const FilmScript& film,
                                               const emulator::Replay& of_film,
                                               const StopFlag* stop) const {
    std::shared_ptr<const DebugBuild> build;
    {
      std::lock_guard lock(build_mutex_);
      if (!build_) {
        Result<DebugBuild> built = build_debug(text_.compiler, text_.input, kernel_->name);
        if (!built.ok()) return no_variables(render(built.errors()));
        build_ = std::make_shared<const DebugBuild>(std::move(*built));
      }
      build = build_;
    }
    emulator::ReplayOptions options;
    options.block = film.block;
    options.warp = film.warp;
    options.max_steps = kDebugSteps;
    options.stop = stop;
    Result<emulator::Replay> debug = replay_of(build->kernel.program, options);
    if (!debug.ok()) return no_variables(render(debug.errors()));
    return make_variable_film(film, of_film, std::move(build), std::move(*debug), shape_, stop);
  }

  std::shared_ptr<const CompiledKernel> kernel_;
  FilmText text_;
  mutable std::mutex build_mutex_;
  mutable std::shared_ptr<const DebugBuild> build_;  // built on first use
  Exercise exercise_;
  ProblemSize size_;
  emulator::LaunchConfig shape_;
  emulator::MachineLimits limits_;
  uint64_t budget_;
};

}  // namespace

std::shared_ptr<const FilmSource> make_film_source(std::shared_ptr<const CompiledKernel> kernel,
                                                   FilmText text, const Exercise& exercise,
                                                   const ProblemSize& size, const KernelRun& run,
                                                   const models::GpuProfile& gpu,
                                                   uint64_t instruction_budget) {
  emulator::LaunchConfig shape;
  shape.grid = run.grid;
  shape.block = run.block;
  shape.dynamic_shared_bytes = run.dynamic_shared_bytes;
  shape.cooperative = exercise.cooperative;
  return std::make_shared<ExerciseFilms>(std::move(kernel), std::move(text), exercise, size,
                                         std::move(shape), limits_of(gpu), instruction_budget);
}

}  // namespace warpshop::lab
