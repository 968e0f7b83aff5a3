#include "compile/no_answer.h"

#include <string>
#include <string_view>
#include <utility>

#include "compile/cuda_tokens.h"
#include "core/lines.h"
#include "diagnostic_places.h"

namespace warpshop::compile {
namespace {

Diagnostic took_too_long(const CompileInput& input, const std::string& file_name) {
  const auto seconds = static_cast<int64_t>(input.most_seconds);
  SourcePlace place = longest_unrolled_loop(input.source, file_name);
  const bool unrolls = place.line > 0;
  return make_error_at(
      std::move(place), "compile",
      unrolls ? sentence("the compiler has not finished after {seconds} s: it unrolls loops with "
                         "very many iterations",
                         {{"seconds", seconds}})
              : sentence("the compiler has not finished after {seconds} s", {{"seconds", seconds}}),
      unrolls ? sentence("leave #pragma unroll out, or give it a small number: #pragma unroll 4")
              : sentence("make templates, constexpr functions and arrays inside kernels smaller"));
}

// The place of the only inline assembly; else line 0. NVRTC 13.0 crashes on some, such as a
// prefetch.global.L2 whose address is a constant.
SourcePlace only_assembly(std::string_view source, const std::string& file_name) {
  SourcePlace place;
  place.file = file_name;
  for (const CudaToken& token : cuda_tokens(source)) {
    if (!token.is("asm") && !token.is("__asm__") && !token.is("__asm")) continue;
    if (place.line > 0) return {file_name};
    place = place_in_text(source, token.at, token.text.size(), file_name);
  }
  return place;
}

Diagnostic crashed(const CompileInput& input, const std::string& file_name, const Sentence& how) {
  SourcePlace place = only_assembly(input.source, file_name);
  const bool has_place = place.line > 0;
  return make_error_at(
      std::move(place), "compile",
      sentence("the compiler crashed on this source: it {how}", {{"how", how}}),
      has_place
          ? sentence("this is a fault of the compiler, NVRTC, and inline assembly is its "
                     "usual cause: write this statement differently")
          : sentence("this is a fault of the compiler, NVRTC: undo your last change, or leave "
                     "parts out until it compiles"));
}

}  // namespace

Diagnostic explain(const NoAnswer& none, const CompileInput& input, uint64_t most_bytes) {
  using Why = NoAnswer::Why;
  const std::string file_name = input.file_name.empty() ? "kernel.cu" : input.file_name;
  switch (none.why) {
    case Why::kNotStarted:
      return make_error("nvrtc", none.how);
    case Why::kStopped:
      return make_error_at({file_name}, "stopped", sentence("compiling was stopped"));
    case Why::kWaits:
      return make_error_at(
          {file_name}, "compile",
          sentence("the compiler waits for something instead of compiling, and was terminated"),
          sentence("#include files only, not pipes or devices"));
    case Why::kLate:
      return took_too_long(input, file_name);
    case Why::kMemory:
      return make_error_at(
          {file_name}, "compile",
          sentence("the compiler needs more than {gib} GiB of memory", {{"gib", most_bytes >> 30}}),
          sentence("make templates, constexpr functions and arrays inside kernels smaller"));
    case Why::kKilled:
      return make_error_at(
          {file_name}, "nvrtc",
          sentence("the compiler {how}, which this program did not do", {{"how", none.how}}),
          sentence("Linux does this when memory runs out: close other programs and try again"));
    case Why::kCrashed:
      break;
  }
  return crashed(input, file_name, none.how);
}

}  // namespace warpshop::compile
