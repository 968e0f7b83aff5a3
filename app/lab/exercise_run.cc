#include "exercise_run.h"

#include <algorithm>
#include <cstring>

#include "lab/expression.h"
#include "lab/fills.h"

namespace warpshop::lab {
namespace {

std::string declaration_of(const Exercise& exercise) {
  std::string text;
  for (const KernelArg& arg : exercise.args) {
    if (!text.empty()) text += ", ";
    if (arg.texture) {
      text += arg.texture->surface ? "cudaSurfaceObject_t " : "cudaTextureObject_t ";
    } else {
      text += std::string(name_of(arg.type)) + (arg.is_buffer ? "* " : " ");
    }
    text += arg.name;
  }
  return exercise.kernel + "(" + text + ")";
}

// The line where `__global__ … kernel(` stands; 0 when it cannot be found.
SourcePlace kernel_place(const CompiledKernel& kernel) {
  SourcePlace place{kernel.file->file_name};
  for (const ptx::Instruction& instruction : kernel.program.function().body) {
    const int line = line_in_file(kernel.program.module(), instruction.source, place.file);
    if (line > 0 && (place.line == 0 || line < place.line)) place.line = line;
  }
  return place;
}

// The kernel's parameters must be those the exercise passes.
Status check_parameters(const CompiledKernel& kernel, const Exercise& exercise) {
  const auto& params = kernel.program.params();
  bool same = params.size() == exercise.args.size();
  for (size_t i = 0; same && i < params.size(); ++i) {
    const KernelArg& arg = exercise.args[i];
    same =
        params[i].size_bytes == (arg.is_buffer ? 8 : static_cast<uint64_t>(size_bytes(arg.type)));
  }
  if (same) return success();
  std::string sizes;
  for (const auto& param : params) {
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(param.size_bytes);
  }
  const std::vector<SentencePart> parts = {
      {"call", declaration_of(exercise)}, {"kernel", kernel.name}, {"count", params.size()}, {"sizes", sizes}};
  return make_error_at(kernel_place(kernel), "launch",
                       params.empty() ? sentence("the lab calls {call}, but the kernel '{kernel}' has 0 parameters", parts)
                                      : sentence("the lab calls {call}, but the kernel '{kernel}' has {count} parameters of {sizes} bytes", parts),
                       sentence("keep the kernel's parameters as the skeleton has them"));
}

}  // namespace

emulator::Argument scalar_argument(const KernelArg& arg, const ProblemSize& size) {
  const Result<Expression> expression = Expression::parse(arg.value);
  const double value = expression->evaluate(lookup_in(size.variables)).value();
  emulator::Argument out;
  const auto put = [&out](auto number) {
    out.bytes.resize(sizeof number);
    std::memcpy(out.bytes.data(), &number, sizeof number);
  };
  switch (arg.type) {
    case ElementType::kU8:
      put(static_cast<uint8_t>(value));
      break;
    case ElementType::kU16:
      put(static_cast<uint16_t>(value));
      break;
    case ElementType::kI32:
      put(static_cast<int32_t>(value));
      break;
    case ElementType::kU32:
      put(static_cast<uint32_t>(value));
      break;
    case ElementType::kI64:
      put(static_cast<int64_t>(value));
      break;
    case ElementType::kF32:
      put(static_cast<float>(value));
      break;
    case ElementType::kF64:
      put(value);
      break;
  }
  return out;
}

Result<PreparedLaunch> prepare_launch(const Exercise& exercise, const ProblemSize& size) {
  PreparedLaunch out;
  for (const KernelArg& arg : exercise.args) {
    if (!arg.is_buffer) {
      out.args.push_back(scalar_argument(arg, size));
      out.buffers.emplace_back();
      continue;
    }
    if (arg.texture) {
      Result<PlacedTexture> placed =
          place_texture(*arg.texture, arg.type, extent_of(arg, size), fill_of(arg, size),
                        arg.file_bytes, arg.name, out.memory, out.textures);
      if (!placed.ok()) return placed.errors();
      out.args.push_back(std::move(placed->handle));
      out.buffers.push_back(placed->place);
      continue;
    }
    const uint64_t bytes = element_count(arg, size) * static_cast<uint64_t>(size_bytes(arg.type));
    const Result<emulator::DevicePointer> base = out.memory.allocate(bytes, arg.name);
    if (!base.ok()) return base.errors();
    const Fill fill = fill_of(arg, size);
    if (writes(fill)) {
      fill_bytes(fill, out.memory.bytes(*base), arg.file_bytes);
      out.memory.mark_written(*base);
    }
    out.args.push_back(emulator::Argument::pointer(*base));
    out.buffers.push_back({.base = *base});
  }
  return out;
}

namespace {

// The student's launch at one size. The configuration points into `prepared`.
Result<emulator::LaunchConfig> configure(const CompiledKernel& kernel, const Exercise& exercise,
                                         const ProblemSize& size, std::string_view source,
                                         PreparedLaunch& prepared) {
  const Status parameters = check_parameters(kernel, exercise);
  if (!parameters.ok()) return parameters.errors();
  const Result<LaunchShape> shape = evaluate_launch(kernel.file, exercise, size, source);
  if (!shape.ok()) return shape.errors();
  Result<PreparedLaunch> made = prepare_launch(exercise, size);
  if (!made.ok()) return made.errors();
  prepared = std::move(*made);

  emulator::LaunchConfig config;
  config.grid = shape->grid;
  config.block = shape->block;
  config.dynamic_shared_bytes = shape->dynamic_shared_bytes;
  config.args = std::move(prepared.args);
  config.textures = &prepared.textures;
  return config;
}

}  // namespace

Result<timing::Prediction> predict_at_size(const CompiledKernel& kernel, const Exercise& exercise,
                                           const ProblemSize& size, std::string_view source,
                                           const models::GpuProfile& gpu,
                                           const KernelPredictionOptions& options) {
  PreparedLaunch prepared;
  const Result<emulator::LaunchConfig> config = configure(kernel, exercise, size, source, prepared);
  if (!config.ok()) return config.errors();
  return predict_kernel(kernel, prepared.memory, *config, gpu, occupancy_of(kernel, *config, gpu),
                        options);
}

Result<timing::MemoryTimeline> memory_at_size(const CompiledKernel& kernel,
                                              const Exercise& exercise, const ProblemSize& size,
                                              std::string_view source,
                                              const models::GpuProfile& gpu, const KernelRun& run,
                                              uint64_t most_transactions, const StopFlag* stop) {
  PreparedLaunch prepared;
  const Result<emulator::LaunchConfig> config =
      configure(kernel, exercise, size, source, prepared);
  if (!config.ok()) return config.errors();
  return memory_timeline_of(kernel, prepared.memory, *config, gpu, run, most_transactions, stop);
}

Result<ExerciseRun> run_at_size(const CompiledKernel& kernel, const Exercise& exercise,
                                const ProblemSize& size, std::string_view source,
                                const models::GpuProfile& gpu, const KernelRunOptions& options) {
  PreparedLaunch prepared;
  const Result<emulator::LaunchConfig> config = configure(kernel, exercise, size, source, prepared);
  if (!config.ok()) return config.errors();
  Result<KernelRun> run = run_kernel(kernel, prepared.memory, *config, gpu, options);
  if (!run.ok()) {
    // A refused launch is the launch function's doing.
    Diagnostics errors = run.errors();
    for (Diagnostic& error : errors) {
      if (error.place.line > 0) continue;
      error.place = launch_function_place(exercise, kernel.file->file_name, source);
      error.message = sentence("at {size}: {message}", {{"size", size.label}, {"message", error.message}});
    }
    return errors;
  }
  ExerciseRun out{std::move(*run), {}};
  for (size_t i = 0; i < exercise.args.size(); ++i) {
    if (exercise.args[i].output)
      out.outputs.push_back(image_of(prepared.memory, prepared.textures, prepared.buffers[i]));
  }
  return out;
}

std::vector<BufferComparison> compare_outputs(const Exercise& exercise, const ProblemSize& size,
                                              const ExerciseRun& expected, const ExerciseRun& got) {
  std::vector<BufferComparison> out;
  for (const KernelArg& arg : exercise.args) {
    if (!arg.output) continue;
    const size_t i = out.size();
    uint64_t width = element_count(arg, size);
    if (!exercise.output_width.empty()) {
      const Result<Expression> expression = Expression::parse(exercise.output_width);
      const auto columns =
          static_cast<uint64_t>(expression->evaluate_whole(lookup_in(size.variables)).value());
      width = std::min(width, columns);
    }
    out.push_back(compare_buffers(arg.name, arg.type, width, expected.outputs[i], got.outputs[i],
                                  exercise.tolerance));
  }
  return out;
}

}  // namespace warpshop::lab
