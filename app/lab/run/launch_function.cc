#include "run/launch_function.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "compile/cuda_tokens.h"
#include "core/ascii.h"
#include "core/lines.h"
#include "core/spelling.h"
#include "emulator/memory.h"
#include "run/signature.h"

namespace warpshop::lab {
namespace {

constexpr std::string_view kTrailerFile = "<launch>";  // CompileInput::trailer
constexpr const char* kTrailerKernel = "warpshop_launch";
// A launch function takes a few divisions; one that exceeds this loops forever.
constexpr uint64_t kLaunchBudget = 5'000'000;

// struct Launch { dim3 grid, block; unsigned shared_bytes; } of assets/prelude/warpshop.h.
constexpr size_t kLaunchWords = 7;

std::string function_name(const Exercise& exercise) {
  return exercise.launch.substr(0, exercise.launch.find('('));
}

Sentence example(const Exercise& exercise) {
  std::string parameters;
  if (!exercise.sizes.empty()) {
    for (const auto& [name, value] : exercise.sizes.front().variables) {
      parameters += (parameters.empty() ? "int " : ", int ") + name;
    }
  }
  return sentence("write {code}",
                  {{"code", "__host__ __device__ Launch " + function_name(exercise) + "(" +
                                parameters + ") { return {dim3(…), dim3(…)}; }"}});
}

// A function with a different name that returns a Launch, and its place.
std::optional<std::pair<std::string, SourcePlace>> other_launch_function(
    std::string_view name, const std::string& file_name, std::string_view source) {
  constexpr std::string_view kType = "Launch";
  const std::string code = compile::without_comments(source);
  for (size_t at = code.find(kType); at != std::string::npos; at = code.find(kType, at + 1)) {
    const size_t start = code.find_first_not_of(" \t\r\n", at + kType.size());
    if (start == std::string::npos || start == at + kType.size()) continue;
    size_t end = start;
    while (end < code.size() && is_word_character(code[end])) ++end;
    const size_t open = code.find_first_not_of(" \t\r\n", end);
    if (end == start || open == std::string::npos || code[open] != '(') continue;
    const std::string other = code.substr(start, end - start);
    if (other != name) return std::pair(other, place_in_text(code, start, other.size(), file_name));
  }
  return std::nullopt;
}

}  // namespace

Diagnostics explain_missing_kernel(Diagnostics errors, const Exercise& exercise,
                                   const std::string& file_name, std::string_view source) {
  const std::vector<Signature> kernels = compile::kernels_of(source, file_name);
  const bool is_there = std::any_of(kernels.begin(), kernels.end(),
                                    [&](const Signature& k) { return k.name == exercise.kernel; });
  if (is_there) return errors;
  const auto meant = std::find_if(kernels.begin(), kernels.end(), [&](const Signature& k) {
    return kernels.size() == 1 || is_near(k.name, exercise.kernel);
  });
  for (Diagnostic& error : errors) {
    if (error.kind != "kernel" || meant == kernels.end()) continue;
    const std::vector<SentencePart> parts = {
        {"name", exercise.kernel}, {"line", meant->place.line}, {"other", meant->name}};
    error.place = meant->place;
    error.help =
        is_near(meant->name, exercise.kernel)
            ? sentence("did you mean '{name}'? Line {line} calls it '{other}'", parts)
            : sentence("the lab runs the kernel '{name}': give '{other}' in line {line} that name",
                       parts);
  }
  return errors;
}

bool is_empty_text(std::string_view source) {
  // A comment in its first line does not hide the rest: the compiler will say what is wrong.
  if (has_only_carriage_returns(source)) return false;
  return compile::without_comments(source).find_first_not_of(" \t\r\n") == std::string::npos;
}

std::string launch_trailer(const Exercise& exercise) {
  std::string parameters;
  for (const auto& [name, value] : exercise.sizes.front().variables) {
    parameters += ", long long " + name;
  }
  return std::string("extern \"C\" __global__ void ") + kTrailerKernel +
         "(Launch* warpshop_launch_result" + parameters +
         ") { *warpshop_launch_result = " + exercise.launch + "; }\n";
}

Diagnostics explain_launch_errors(Diagnostics errors, const Exercise& exercise,
                                  const std::string& file_name, std::string_view source) {
  const SourcePlace place = launch_function_place(exercise, file_name, source);
  bool explained = false;
  Diagnostics out;
  for (Diagnostic& error : errors) {
    if (error.place.file != kTrailerFile) {
      out.push_back(std::move(error));
      continue;
    }
    // One message is enough: the others are its consequences.
    if (explained || error.severity != Severity::kError) continue;
    explained = true;
    const std::string name = function_name(exercise);
    const auto meant =
        place.line == 0 ? other_launch_function(name, file_name, source) : std::nullopt;
    if (meant) {
      out.push_back(make_error_at(
          meant->second, "launch",
          sentence("the file has no launch function '{name}', which says how many blocks and "
                   "threads run the kernel",
                   {{"name", name}}),
          sentence("did you mean '{name}'? Line {line} calls it '{other}'",
                   {{"name", name}, {"line", meant->second.line}, {"other", meant->first}})));
    } else if (place.line == 0) {
      out.push_back(make_error_at(place, "launch",
                                  sentence("the file has no launch function '{name}', which says "
                                           "how many blocks and threads run the kernel",
                                           {{"name", name}}),
                                  example(exercise)));
    } else {
      out.push_back(make_error_at(
          place, "launch",
          sentence("the lab calls {call}, which does not fit this launch function: {why}",
                   {{"call", exercise.launch}, {"why", error.message}}),
          example(exercise)));
    }
  }
  return out;
}

SourcePlace launch_function_place(const Exercise& exercise, const std::string& file_name,
                                  std::string_view source) {
  const std::string name = function_name(exercise);
  for (size_t at = source.find(name); at != std::string_view::npos;
       at = source.find(name, at + 1)) {
    const bool begins = at == 0 || !is_word_character(source[at - 1]);
    const size_t after = source.find_first_not_of(" \t", at + name.size());
    if (!begins || after == std::string_view::npos || source[after] != '(') continue;
    const size_t line_begin = source.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::string_view before = source.substr(line_begin, at - line_begin);
    if (before.find("//") != std::string_view::npos) continue;
    return place_in_text(source, at, name.size(), file_name);
  }
  return {file_name};
}

SourcePlace launch_result_place(const Exercise& exercise, const std::string& file_name,
                                std::string_view source) {
  constexpr std::string_view kReturn = "return";
  SourcePlace place = launch_function_place(exercise, file_name, source);
  if (place.line == 0) return place;
  const std::string code = compile::without_comments(source);
  size_t at = code.find('{', offset_of_line(code, place.line));
  std::optional<size_t> found;
  for (int depth = 0; at < code.size(); ++at) {
    depth += code[at] == '{' ? 1 : code[at] == '}' ? -1 : 0;
    if (depth == 0) break;
    const bool whole = !is_word_character(code[at - 1]) && at + kReturn.size() < code.size() &&
                       !is_word_character(code[at + kReturn.size()]);
    if (!whole || !std::string_view(code).substr(at).starts_with(kReturn)) continue;
    if (found) return place;
    found = at;
  }
  return found ? place_in_text(code, *found, kReturn.size(), file_name) : place;
}

Result<LaunchShape> evaluate_launch(const CompiledFilePtr& file, const Exercise& exercise,
                                    const ProblemSize& size, std::string_view source) {
  const SourcePlace place = launch_function_place(exercise, file->file_name, source);
  const auto failed = [&](Sentence message) {
    return make_error_at(place, "launch", std::move(message));
  };
  std::string values;
  for (const auto& [name, value] : size.variables)
    values += (values.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  Result<CompiledKernel> kernel = find_kernel(file, kTrailerKernel);
  if (!kernel.ok()) return kernel.errors();

  emulator::DeviceMemory memory(1 << 20);
  const Result<emulator::DevicePointer> result =
      memory.allocate(kLaunchWords * 4, "the launch function's result");
  if (!result.ok()) return result.errors();
  emulator::LaunchConfig config;
  config.args.push_back(emulator::Argument::pointer(*result));
  for (const auto& [name, value] : size.variables)
    config.args.push_back(emulator::Argument::i64(value));
  emulator::LaunchOptions options;
  options.threads = 1;
  options.instruction_budget = kLaunchBudget;
  const Result<emulator::LaunchResult> launched =
      emulator::launch(kernel->program, memory, config, options);
  if (!launched.ok()) return launched.errors();

  for (const emulator::Finding& finding : launched->findings) {
    if (finding.kind == emulator::FindingKind::kTimeout) {
      return failed(
          sentence("the launch function does not end for {size}", {{"size", size.label}}));
    }
    if (finding.kind == emulator::FindingKind::kDivisionByZero) {
      return make_error_at(
          launch_result_place(exercise, file->file_name, source), "launch",
          sentence("the launch function divides by zero for {values}", {{"values", values}}),
          sentence("check that no divisor is 0 at any size"));
    }
    if (finding.severity == Severity::kError) {
      Diagnostic error = failed(sentence("the launch function fails for {size}: {message}",
                                         {{"size", size.label}, {"message", finding.message}}));
      if (finding.place.line > 0 && finding.place.file == file->file_name)
        error.place = finding.place;
      return error;
    }
  }
  if (!launched->completed)
    return failed(sentence("the launch function did not end for {size}", {{"size", size.label}}));

  std::array<uint32_t, kLaunchWords> words{};
  std::memcpy(words.data(), memory.bytes(*result).data(), sizeof words);
  const LaunchShape shape{{words[0], words[1], words[2]}, {words[3], words[4], words[5]}, words[6]};
  const bool no_blocks = shape.grid.count() == 0;
  if (!no_blocks && shape.block.count() > 0) return shape;
  const std::vector<SentencePart> parts = {
      {"values", values}, {"shape", text_of(no_blocks ? shape.grid : shape.block)}};
  return make_error_at(
      launch_result_place(exercise, file->file_name, source), "launch",
      no_blocks
          ? sentence("the launch function gives the grid {shape} for {values}: no blocks", parts)
          : sentence("the launch function gives the block {shape} for {values}: no threads", parts),
      sentence("division rounds down: write (n + 255) / 256 to cover n elements with blocks of "
               "256, and check that no divisor is 0"));
}

}  // namespace warpshop::lab
