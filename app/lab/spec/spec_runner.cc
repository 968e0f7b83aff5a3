// Runs cases on several threads: each thread takes a case whose source is compiled or, if there is
// none, compiles the next source.
#include <algorithm>
#include <condition_variable>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "compile/kernel_name.h"
#include "core/files.h"
#include "lab/spec.h"
#include "lab/tensor_arg.h"
#include "run/compiled_file.h"
#include "run/kernel_prediction.h"
#include "run/kernel_run.h"
#include "run/removed_code.h"
#include "run/texture_objects.h"
#include "spec/spec_fill_file.h"

namespace warpshop::lab {
namespace {

constexpr uint64_t kPatternBytes = uint64_t{64} << 20;  // docs/cli.md, "Fills"

// A source with its options, compiled once for all cases that use it.
struct Source {
  enum class State : uint8_t { kWaiting, kCompiling, kReady };
  State state = State::kWaiting;
  const SpecCase* first = nullptr;
  std::vector<size_t> cases = {};  // still to run
  size_t unfinished = 0;
  CompiledFilePtr file = {};
  Diagnostics errors = {};
};

std::string key_of(const SpecCase& spec_case) {
  std::string key = spec_case.source.string() + (spec_case.prelude ? "\n+" : "\n-");
  for (const std::string& option : spec_case.options) key += '\n' + option;
  return key + '\n' + compile::instance_of(spec_case.kernel);
}

class SpecRun {
 public:
  SpecRun(const std::vector<SpecCase>& cases, const SpecOptions& options)
      : cases_(cases), options_(options), results_(cases.size()) {
    std::map<std::string, size_t> known;
    for (size_t i = 0; i < cases.size(); ++i) {
      const auto [at, is_new] = known.try_emplace(key_of(cases[i]), sources_.size());
      if (is_new) sources_.push_back({.first = &cases[i]});
      Source& source = sources_[at->second];
      source.cases.push_back(i);
      ++source.unfinished;
      results_[i].name = cases[i].name;
    }
  }

  std::vector<CaseResult> run() {
    const auto cores = static_cast<size_t>(std::max(1U, std::thread::hardware_concurrency()));
    const size_t wanted = options_.jobs > 0 ? static_cast<size_t>(options_.jobs) : cores;
    const size_t workers = std::max<size_t>(1, std::min(wanted, cases_.size()));
    launch_threads_ = static_cast<int>(std::max<size_t>(1, cores / workers));
    std::vector<std::thread> threads;
    for (size_t i = 1; i < workers; ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    return std::move(results_);
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (Source* ready = find(Source::State::kReady)) {
        const size_t index = ready->cases.front();
        ready->cases.erase(ready->cases.begin());
        const CompiledFilePtr file = ready->file;
        lock.unlock();
        if (!run_case(index, file, ready->errors, launch_threads_))
          run_case(index, file, ready->errors, 1);
        lock.lock();
        if (--ready->unfinished == 0) ready->file.reset();
        ++finished_;
        if (options_.progress) {
          options_.progress("cases",
                            static_cast<double>(finished_) / static_cast<double>(cases_.size()));
        }
      } else if (Source* waiting = find(Source::State::kWaiting)) {
        waiting->state = Source::State::kCompiling;
        lock.unlock();
        Result<CompiledFilePtr> file = compile(*waiting->first);
        lock.lock();
        if (file.ok()) {
          waiting->file = std::move(*file);
        } else {
          waiting->errors = file.errors();
        }
        waiting->state = Source::State::kReady;
        changed_.notify_all();
      } else if (find(Source::State::kCompiling) != nullptr) {
        changed_.wait(lock);
      } else {
        return;
      }
    }
  }

  // The first source in the given state that still has cases to run.
  Source* find(Source::State state) {
    for (Source& source : sources_) {
      if (source.state == state && !source.cases.empty()) return &source;
    }
    return nullptr;
  }

  Result<CompiledFilePtr> compile(const SpecCase& spec_case) {
    if (stopped()) return make_error("stopped", "stopped before this case ran");
    Result<std::string> text = read_file(spec_case.source);
    if (!text.ok()) {
      Diagnostic error = text.errors().front();
      error.message = error.message + " (the source of case \"" + spec_case.name + "\"" +
                      (spec_case.place.line > 0 ? ", " + spec_case.place.file + ":" +
                                                      std::to_string(spec_case.place.line)
                                                : std::string()) +
                      ")";
      return error;
    }
    const std::string name = spec_case.source.filename().string();
    if (spec_case.source.extension() == ".ptx") return read_ptx(std::move(*text), name);

    const Result<compile::Compiler>& compiler = loaded_compiler();
    if (!compiler.ok()) return compiler.errors();
    compile::CompileInput input;
    input.source = std::move(*text);
    input.file_name = name;
    input.architecture = architecture_for(options_.gpu);
    input.options = spec_case.options;
    input.prelude = spec_case.prelude;
    input.whole_program = true;
    input.stop = options_.stop;
    // A list of cases may take its time.
    if (!spec_case.prelude) input.most_seconds = std::numeric_limits<double>::infinity();
    if (const std::string instance = compile::instance_of(spec_case.kernel); !instance.empty())
      input.instances = {instance};
    input.include_dirs = {spec_case.source.parent_path().empty()
                              ? std::string(".")
                              : spec_case.source.parent_path().string()};
    return compile_cuda(*compiler, input);
  }

  // Look for NVRTC only when a case needs it.
  const Result<compile::Compiler>& loaded_compiler() {
    std::call_once(compiler_once_, [this] { compiler_.emplace(compile::Compiler::load()); });
    return *compiler_;
  }

  // False, and nothing is done: the launch is to be repeated with one thread.
  bool run_case(size_t index, const CompiledFilePtr& file, const Diagnostics& compile_errors,
                int threads) {
    const SpecCase& spec_case = cases_[index];
    CaseResult& result = results_[index];
    const auto fail = [&result](Diagnostics errors) {
      result.errors = std::move(errors);
      return true;
    };
    if (file == nullptr) return fail(compile_errors);
    result.left_out = file->left_out;
    std::copy_if(
        file->warnings.begin(), file->warnings.end(), std::back_inserter(result.warnings),
        [&](const Diagnostic& warning) { return tells_of_removed_code(warning, file->source); });
    if (stopped()) return fail({make_error("stopped", "stopped before this case ran")});
    const Result<CompiledKernel> kernel = find_kernel(file, spec_case.kernel);
    if (!kernel.ok()) return fail(kernel.errors());

    emulator::DeviceMemory memory(uint64_t{1} << 38);
    emulator::LaunchConfig config;
    config.grid = spec_case.grid;
    config.block = spec_case.block;
    config.dynamic_shared_bytes = spec_case.dynamic_shared_bytes;
    config.cooperative = spec_case.cooperative;
    config.cluster = spec_case.cluster;
    config.large_clusters = spec_case.large_clusters;
    emulator::TextureMemory textures;
    config.textures = &textures;
    std::vector<PlacedBytes> buffers;
    for (const SpecArg& arg : spec_case.args) {
      Result<emulator::Argument> argument = argument_of(memory, textures, spec_case, arg, buffers);
      if (!argument.ok()) return fail(argument.errors());
      config.args.push_back(std::move(*argument));
    }

    if (options_.predict) {
      predict_case(*kernel, spec_case, memory, config, result);
      return true;
    }

    KernelRunOptions options;
    options.instruction_budget = options_.instruction_budget;
    options.order_seed = options_.order_seed;
    options.threads = threads;
    options.record_blocks = options_.record_blocks;
    options.stop = options_.stop;
    Result<KernelRun> run = run_kernel(*kernel, memory, config, options_.gpu, options);
    if (!run.ok()) {
      Diagnostics errors = run.errors();
      for (Diagnostic& error : errors) {
        if (error.place.file.empty()) error.place = spec_case.place;
      }
      return fail(std::move(errors));
    }
    if (run->needs_one_thread) {
      result = {};
      result.name = spec_case.name;
      return false;
    }
    result.ran = true;
    result.has_resources = kernel->resources != nullptr;
    result.run = std::move(*run);
    if (!result.run.completed) result.errors = {incomplete(result.run)};
    for (size_t i = 0; i < buffers.size(); ++i) {
      const std::span<const uint8_t> bytes = bytes_of(buffers[i], memory, textures);
      result.buffers.push_back(fnv1a_hex(bytes));
      if (options_.keep_buffers) result.bytes.emplace_back(bytes.begin(), bytes.end());
      if (options_.dump_dir.empty()) continue;
      const auto path = options_.dump_dir / (spec_case.name + "." + std::to_string(i) + ".bin");
      const Status written = write_file_atomically(
          path,
          {reinterpret_cast<const char*>(bytes.data()), bytes.size()});  // NOLINT: bytes as text
      if (!written.ok()) result.errors.push_back(written.errors().front());
    }
    return true;
  }

  void predict_case(const CompiledKernel& kernel, const SpecCase& spec_case,
                    emulator::DeviceMemory& memory, const emulator::LaunchConfig& config,
                    CaseResult& result) {
    KernelRun& run = result.run;
    run.kernel = kernel.name;
    run.file_name = kernel.file->file_name;
    run.grid = config.grid;
    run.block = config.block;
    run.dynamic_shared_bytes = config.dynamic_shared_bytes;
    run.occupancy = occupancy_of(kernel, config, options_.gpu);
    if (kernel.resources != nullptr) {
      run.registers = kernel.resources->registers;
      run.static_shared_bytes = kernel.resources->static_shared_bytes;
      result.has_resources = true;
    }
    const KernelPredictionOptions how{.stop = options_.stop,
                                      .buffers_start = spec_case.buffers_start};
    Result<timing::Prediction> prediction =
        predict_kernel(kernel, memory, config, options_.gpu, run.occupancy, how);
    if (prediction.ok()) {
      run.prediction = std::move(*prediction);
    } else {
      result.errors = prediction.errors();
    }
  }

  // A sample touches little of a large buffer, whose bytes repeat every 64 MiB anyway.
  Result<emulator::DevicePointer> add_repeating(emulator::DeviceMemory& memory, const SpecArg& arg,
                                                const std::string& name) {
    const std::lock_guard lock(patterns_mutex_);
    std::vector<uint8_t>& pattern =
        patterns_[std::to_string(static_cast<int>(arg.fill.kind)) + " " +
                  std::to_string(static_cast<int>(arg.fill.type)) + " " +
                  std::to_string(arg.fill.seed)];
    if (pattern.empty()) {
      pattern.resize(kPatternBytes);
      fill_bytes(arg.fill, pattern);
    }
    return memory.allocate_repeating(arg.size_bytes, name, pattern);
  }

  // The kernel's argument; appends any buffer to the existing ones.
  Result<emulator::Argument> argument_of(emulator::DeviceMemory& memory,
                                         emulator::TextureMemory& textures,
                                         const SpecCase& spec_case, const SpecArg& arg,
                                         std::vector<PlacedBytes>& buffers) {
    if (!arg.fields.empty()) {
      std::vector<std::vector<uint8_t>> fields;
      for (const SpecArg& field : arg.fields) {
        Result<emulator::Argument> value = argument_of(memory, textures, spec_case, field, buffers);
        if (!value.ok()) return value.errors();
        fields.push_back(std::move(value->bytes));
      }
      return emulator::Argument{struct_bytes(fields, arg.fields)};
    }
    if (!arg.is_buffer) return arg.scalar;
    Result<PlacedTexture> placed = place(memory, textures, spec_case, arg, buffers.size());
    if (!placed.ok()) return placed.errors();
    buffers.push_back(placed->place);
    return std::move(placed->handle);
  }

  // Places a buffer, texture or surface and returns the kernel's argument for it.
  Result<PlacedTexture> place(emulator::DeviceMemory& memory, emulator::TextureMemory& textures,
                              const SpecCase& spec_case, const SpecArg& arg, size_t index) {
    const std::string name = arg.buffer_name(index);
    const bool repeats = !arg.texture && !arg.tensor && arg.size_bytes > kPatternBytes &&
                         arg.fill.kind != FillKind::kChase && arg.fill.kind != FillKind::kFile &&
                         arg.fill.kind != FillKind::kNone;
    if (options_.predict && repeats) {
      const Result<emulator::DevicePointer> base = add_repeating(memory, arg, name);
      if (!base.ok()) return base.errors();
      return PlacedTexture{{.base = *base}, emulator::Argument::pointer(*base)};
    }
    std::string file_bytes;
    if (arg.fill.kind == FillKind::kFile) {
      Result<std::string> bytes = read_fill_file(spec_case, arg);
      if (!bytes.ok()) return bytes.errors();
      file_bytes = std::move(*bytes);
    }
    if (arg.texture) {
      return place_texture(*arg.texture, arg.type, arg.extent, arg.fill, file_bytes, name, memory,
                           textures);
    }
    const Result<emulator::DevicePointer> base = memory.allocate(arg.size_bytes, name);
    if (!base.ok()) return base.errors();
    if (writes(arg.fill)) {
      fill_bytes(arg.fill, memory.bytes(*base), file_bytes);
      memory.mark_written(*base);
    }
    if (arg.tensor) {
      return PlacedTexture{{.base = *base}, tensor_argument(*arg.tensor, *base)};
    }
    return PlacedTexture{{.base = *base}, emulator::Argument::pointer(*base)};
  }

  // Why a kernel did not complete.
  static Diagnostic incomplete(const KernelRun& run) {
    for (const emulator::Finding& finding : run.findings) {
      if (finding.severity != Severity::kError) continue;
      return make_error_at(finding.place, emulator::diagnostic_kind_of(finding.kind),
                           "the kernel was ended: " + finding.message);
    }
    return make_error("stopped", "stopped while this case ran");
  }

  bool stopped() const { return options_.stop != nullptr && options_.stop->requested(); }

  const std::vector<SpecCase>& cases_;
  const SpecOptions& options_;
  std::vector<CaseResult> results_;
  std::vector<Source> sources_;
  int launch_threads_ = 1;
  size_t finished_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::once_flag compiler_once_;
  std::optional<Result<compile::Compiler>> compiler_;
  std::mutex patterns_mutex_;
  std::map<std::string, std::vector<uint8_t>> patterns_;  // for large buffers, by fill
};

}  // namespace

std::vector<CaseResult> run_spec(const std::vector<SpecCase>& cases, const SpecOptions& options) {
  return SpecRun(cases, options).run();
}

}  // namespace warpshop::lab
