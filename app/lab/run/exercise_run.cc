#include "run/exercise_run.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "core/element.h"
#include "core/expression.h"
#include "lab/fills.h"
#include "run/signature.h"

namespace warpshop::lab {
namespace {

std::string_view cpp_name(ElementType type) {
  switch (type) {
    case ElementType::kU8:
      return "unsigned char";
    case ElementType::kU16:
      return "unsigned short";
    case ElementType::kI32:
      return "int";
    case ElementType::kU32:
      return "unsigned";
    case ElementType::kI64:
      return "long long";
    case ElementType::kF16:
      return "__half";
    case ElementType::kBf16:
      return "__nv_bfloat16";
    case ElementType::kF32:
      return "float";
    case ElementType::kF64:
      return "double";
  }
  return "";
}

std::string cpp_type(const KernelArg& arg) {
  if (arg.texture) return arg.texture->surface ? "cudaSurfaceObject_t" : "cudaTextureObject_t";
  if (arg.tensor) return "const __grid_constant__ CUtensorMap";
  return std::string(cpp_name(arg.type)) + (arg.is_buffer ? "*" : "");
}

std::string declaration_of(const Exercise& exercise) {
  std::string text;
  for (const KernelArg& arg : exercise.args)
    text += (text.empty() ? "" : ", ") + cpp_type(arg) + " " + arg.name;
  return exercise.kernel + "(" + text + ")";
}

// The line of `__global__ … kernel(`; 0 if not found.
SourcePlace kernel_place(const CompiledKernel& kernel) {
  SourcePlace place{kernel.file->file_name};
  for (const ptx::Instruction& instruction : kernel.program.function().body) {
    const int line = line_in_file(kernel.program.module(), instruction.source, place.file);
    if (line > 0 && (place.line == 0 || line < place.line)) place.line = line;
  }
  return place;
}

uint64_t parameter_bytes(const KernelArg& arg) {
  if (arg.tensor) return emulator::TensorMap::kBytes;
  return arg.is_buffer ? sizeof(emulator::DevicePointer)
                       : static_cast<uint64_t>(size_bytes(arg.type));
}

// Whether the parameter accepts what the lab passes. The student's own types are unknown here and
// always accepted.
bool takes(const KernelArg& arg, const std::string& type) {
  if (arg.texture || arg.tensor) return true;
  const TypeKind have = type_kind(type);
  if (have.kind == '?') return have.pointer == arg.is_buffer || !have.pointer;
  return have == TypeKind{arg.is_buffer, is_floating(arg.type) ? 'f' : 'i', size_bytes(arg.type)};
}

Sentence passed_words(const KernelArg& arg) {
  const std::vector<SentencePart> parts = {{"type", std::string(cpp_name(arg.type))}};
  return arg.is_buffer ? sentence("a buffer of {type}", parts)
                       : sentence("a value of type {type}", parts);
}

// Reports the first parameter whose type does not accept what is passed, if any.
std::optional<Diagnostic> wrong_type(const CompiledKernel& kernel, const Exercise& exercise,
                                     const Signature& signature) {
  const std::vector<Parameter>& parameters = signature.parameters;
  const auto types = mangled_types(kernel.program.function().name);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const KernelArg& arg = exercise.args[i];
    if (takes(arg, types && types->size() == parameters.size() ? (*types)[i] : parameters[i].type))
      continue;
    return make_error_at(
        parameters[i].place, "launch",
        sentence("the parameter '{name}' is of type {type}, but the lab passes {what}",
                 {{"name", parameters[i].name.empty() ? std::to_string(i + 1) : parameters[i].name},
                  {"type", parameters[i].type},
                  {"what", passed_words(arg)}}),
        sentence("the lab calls {call}: keep the kernel's parameters as in the skeleton",
                 {{"call", declaration_of(exercise)}}));
  }
  return std::nullopt;
}

// Whether all of the lab's names are there, but in a different order: `out` would be passed `in`.
bool is_swapped(const Exercise& exercise, const Signature& signature) {
  std::vector<std::string> have, want;
  for (const Parameter& parameter : signature.parameters) have.push_back(parameter.name);
  for (const KernelArg& arg : exercise.args) want.push_back(arg.name);
  return have != want && std::is_permutation(have.begin(), have.end(), want.begin(), want.end());
}

// The kernel's parameters must match what the exercise passes.
Status check_parameters(const CompiledKernel& kernel, const Exercise& exercise,
                        std::string_view source) {
  const auto& params = kernel.program.params();
  std::optional<Signature> signature = signature_of(source, kernel.name, kernel.file->file_name);
  // The text of a list written by a macro is not the list.
  if (signature && signature->parameters.size() != params.size()) signature.reset();
  bool same = params.size() == exercise.args.size();
  if (same && signature) {
    if (const auto wrong = wrong_type(kernel, exercise, *signature)) return *wrong;
    if (is_swapped(exercise, *signature)) {
      SourcePlace place = signature->parameters.front().place;
      return make_error_at(
          std::move(place), "launch",
          sentence("the kernel's parameters are in a different order from the lab's call: {call}",
                   {{"call", declaration_of(exercise)}}),
          sentence("keep the kernel's parameters as in the skeleton"));
    }
  }
  for (size_t i = 0; same && i < params.size(); ++i) {
    same = params[i].size_bytes == parameter_bytes(exercise.args[i]);
  }
  if (same) return success();
  std::string sizes;
  for (const auto& param : params) {
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(param.size_bytes);
  }
  const std::vector<SentencePart> parts = {{"call", declaration_of(exercise)},
                                           {"kernel", kernel.name},
                                           {"count", params.size()},
                                           {"sizes", sizes}};
  return make_error_at(
      signature ? signature->place : kernel_place(kernel), "launch",
      params.empty()
          ? sentence("the lab calls {call}, but the kernel '{kernel}' has 0 parameters", parts)
          : sentence("the lab calls {call}, but the kernel '{kernel}' has {count} parameters of "
                     "{sizes} bytes",
                     parts),
      sentence("keep the kernel's parameters as in the skeleton"));
}

}  // namespace

emulator::Argument scalar_argument(const KernelArg& arg, const ProblemSize& size) {
  const Result<Expression> expression = Expression::parse(arg.value);
  const double value = expression->evaluate(lookup_in(size.variables)).value();
  emulator::Argument out;
  with_element_type(arg.type, [&](auto element) {
    element = element_from<decltype(element)>(value);
    out.bytes.resize(sizeof element);
    std::memcpy(out.bytes.data(), &element, sizeof element);
  });
  return out;
}

Result<PreparedLaunch> prepare_launch(const Exercise& exercise, const ProblemSize& size,
                                      const StopFlag* stop) {
  PreparedLaunch out;
  for (const KernelArg& arg : exercise.args) {
    if (!arg.is_buffer) {
      out.args.push_back(scalar_argument(arg, size));
      out.buffers.emplace_back();
      continue;
    }
    const Result<Content> content = content_of(arg, size, stop);
    if (!content.ok()) return content.errors();
    if (arg.texture) {
      Result<PlacedTexture> placed =
          place_texture(*arg.texture, arg.type, extent_of(arg, size), content->fill, content->bytes,
                        arg.name, out.memory, out.textures);
      if (!placed.ok()) return placed.errors();
      out.args.push_back(std::move(placed->handle));
      out.buffers.push_back(placed->place);
      continue;
    }
    const uint64_t bytes = element_count(arg, size) * static_cast<uint64_t>(size_bytes(arg.type));
    const Result<emulator::DevicePointer> base =
        out.memory.allocate(bytes, arg.name, static_cast<uint32_t>(size_bytes(arg.type)));
    if (!base.ok()) return base.errors();
    if (writes(content->fill)) {
      fill_bytes(content->fill, out.memory.bytes(*base), content->bytes);
      out.memory.mark_written(*base);
    }
    out.buffers.push_back({.base = *base});
    if (!arg.tensor) {
      out.args.push_back(emulator::Argument::pointer(*base));
      continue;
    }
    const Result<emulator::TensorMap> map = tensor_map_of(*arg.tensor, size.variables);
    if (!map.ok()) return map.errors();
    out.args.push_back(tensor_argument(*map, *base));
  }
  return out;
}

namespace {

// The student's launch at one size. The configuration points into `prepared`, which must outlive
// it.
Result<emulator::LaunchConfig> configure(const CompiledKernel& kernel, const Exercise& exercise,
                                         const ProblemSize& size, std::string_view source,
                                         PreparedLaunch& prepared, const StopFlag* stop) {
  const Status parameters = check_parameters(kernel, exercise, source);
  if (!parameters.ok()) return parameters.errors();
  const Result<LaunchShape> shape = evaluate_launch(kernel.file, exercise, size, source);
  if (!shape.ok()) return shape.errors();
  Result<PreparedLaunch> made = prepare_launch(exercise, size, stop);
  if (!made.ok()) return made.errors();
  prepared = std::move(*made);

  emulator::LaunchConfig config;
  config.grid = shape->grid;
  config.block = shape->block;
  config.dynamic_shared_bytes = shape->dynamic_shared_bytes;
  config.cooperative = exercise.cooperative;
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
  const Result<emulator::LaunchConfig> config =
      configure(kernel, exercise, size, source, prepared, options.stop);
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
      configure(kernel, exercise, size, source, prepared, stop);
  if (!config.ok()) return config.errors();
  return memory_timeline_of(kernel, prepared.memory, *config, gpu, run, most_transactions, stop);
}

namespace {

// The contents of read-only buffers before the launch; empty for the others. Textures cannot be
// written; a buffer without a fill is scratch space.
std::vector<std::vector<uint8_t>> inputs_of(const Exercise& exercise,
                                            const PreparedLaunch& prepared) {
  std::vector<std::vector<uint8_t>> out(exercise.args.size());
  for (size_t i = 0; i < exercise.args.size(); ++i) {
    const KernelArg& arg = exercise.args[i];
    if (!arg.is_buffer || arg.output || !has_content(arg) || (arg.texture && !arg.texture->surface))
      continue;
    const std::span<const uint8_t> bytes =
        bytes_of(prepared.buffers[i], prepared.memory, prepared.textures);
    out[i].assign(bytes.begin(), bytes.end());
  }
  return out;
}

Result<ExerciseRun> run_once(const CompiledKernel& kernel, const Exercise& exercise,
                             const ProblemSize& size, std::string_view source,
                             const models::GpuProfile& gpu, const KernelRunOptions& options) {
  PreparedLaunch prepared;
  const Result<emulator::LaunchConfig> config =
      configure(kernel, exercise, size, source, prepared, options.stop);
  if (!config.ok()) return config.errors();
  const std::vector<std::vector<uint8_t>> inputs = inputs_of(exercise, prepared);
  Result<KernelRun> run = run_kernel(kernel, prepared.memory, *config, gpu, options);
  if (!run.ok()) {
    // Blame a refused launch on the launch function.
    Diagnostics errors = run.errors();
    for (Diagnostic& error : errors) {
      if (error.place.line > 0) continue;
      error.place = launch_result_place(exercise, kernel.file->file_name, source);
      error.message =
          sentence("at {size}: {message}", {{"size", size.label}, {"message", error.message}});
    }
    return errors;
  }
  ExerciseRun out{std::move(*run), {}, {}};
  if (out.run.needs_one_thread) return out;
  for (size_t i = 0; i < exercise.args.size(); ++i) {
    if (exercise.args[i].output)
      out.outputs.push_back(image_of(prepared.memory, prepared.textures, prepared.buffers[i]));
    if (inputs[i].empty()) continue;
    const std::span<const uint8_t> now =
        bytes_of(prepared.buffers[i], prepared.memory, prepared.textures);
    if (std::equal(now.begin(), now.end(), inputs[i].begin(), inputs[i].end())) continue;
    out.changed_inputs.push_back({i, {inputs[i], {}}, {{now.begin(), now.end()}, {}}});
  }
  return out;
}

}  // namespace

Result<ExerciseRun> run_at_size(const CompiledKernel& kernel, const Exercise& exercise,
                                const ProblemSize& size, std::string_view source,
                                const models::GpuProfile& gpu, const KernelRunOptions& options) {
  Result<ExerciseRun> run = run_once(kernel, exercise, size, source, gpu, options);
  if (!run.ok() || !run->run.needs_one_thread) return run;
  KernelRunOptions on_one_thread = options;
  on_one_thread.threads = 1;
  return run_once(kernel, exercise, size, source, gpu, on_one_thread);
}

std::vector<BufferComparison> compare_outputs(const Exercise& exercise, const ProblemSize& size,
                                              const ExerciseRun& expected, const ExerciseRun& got) {
  std::vector<BufferComparison> out;
  const auto compare = [&](const KernelArg& arg, const BufferImage& want, const BufferImage& have,
                           double tolerance) {
    uint64_t width = element_count(arg, size);
    bool has_rows = false;
    if (!exercise.output_width.empty()) {
      const Result<Expression> expression = Expression::parse(exercise.output_width);
      const auto columns =
          static_cast<uint64_t>(expression->evaluate_whole(lookup_in(size.variables)).value());
      width = std::min(width, columns);
      // A plain number is the width of the map of a long array; a matrix gives its width in terms
      // of the problem size.
      has_rows = !expression->names().empty();
    }
    return compare_buffers(arg.name, arg.type, width, want, have, tolerance, has_rows);
  };
  for (const KernelArg& arg : exercise.args) {
    if (!arg.output) continue;
    const size_t i = out.size();
    out.push_back(compare(arg, expected.outputs[i], got.outputs[i], exercise.tolerance));
  }
  for (const ExerciseRun::ChangedInput& input : got.changed_inputs) {
    BufferComparison changed = compare(exercise.args[input.arg], input.before, input.after, 0);
    changed.is_input = true;
    if (changed.wrong > 0) out.push_back(std::move(changed));
  }
  return out;
}

Sentence why_unproven(const Exercise& exercise, const ProblemSize& size,
                      const ExerciseRun& reference) {
  Sentence out;
  size_t output = 0;
  for (const KernelArg& arg : exercise.args) {
    if (!arg.output) continue;
    const BufferImage& after = reference.outputs[output++];
    const Result<Content> content = content_of(arg, size);
    if (!content.ok()) return {};  // no launch was prepared
    std::vector<uint8_t> before(writes(content->fill) ? after.bytes.size() : 0);
    fill_bytes(content->fill, before, content->bytes);
    const std::optional<std::string> value = only_value(arg.type, before, after);
    if (!value) return {};
    if (!out.empty()) continue;
    out = value->empty()
              ? sentence("the kernel changes no element of {buffer}", {{"buffer", arg.name}})
              : sentence("every element of {buffer} that the kernel changes is {value}",
                         {{"buffer", arg.name}, {"value", number(*value)}});
  }
  return out;
}

Diagnostic unproven_warning(const Sentence& why, const CompiledKernel& kernel,
                            std::string_view source, const std::string& file_name) {
  const std::optional<Signature> signature = signature_of(source, kernel.name, file_name);
  Diagnostic out = make_error_at(
      signature ? signature->place : kernel_place(kernel), "kernel",
      sentence("{why}: the comparison proves little", {{"why", why}}),
      sentence("if its inputs should reach the output, look at the fills in lab.toml and at the "
               "values of __constant__ variables"));
  out.severity = Severity::kWarning;
  return out;
}

}  // namespace warpshop::lab
