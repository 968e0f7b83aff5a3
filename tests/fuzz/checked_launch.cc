#include "checked_launch.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "core/diagnostic.h"
#include "ptx/parser.h"

namespace warpshop::fuzz {

using namespace emulator;

uint32_t input_word(uint32_t n) { return n * 2654435761u + 12345u; }

void fail_launch(std::string_view what, const std::string& text) {
  std::fprintf(stderr, "%.*s:\n%s\n", static_cast<int>(what.size()), what.data(), text.c_str());
  std::abort();
}

CheckedResult launch_checked(const std::string& text, const CheckedLaunch& shape) {
  ptx::ParseOutput parsed = ptx::parse(text, "fuzz.ptx");
  if (!parsed.diagnostics.empty()) fail_launch(render(parsed.diagnostics, text), text);
  const auto module = std::make_shared<ptx::Module>(std::move(parsed.module));
  const Result<Program> program = Program::decode(module, "k");
  if (!program) fail_launch(render(program.errors()), text);
  DeviceMemory memory(1 << 20);
  LaunchConfig config{.grid = shape.grid, .block = shape.block};
  DevicePointer first = 0;
  for (const uint64_t bytes : {256, 4096, 4096}) {
    const DevicePointer p = *memory.allocate(bytes, "buffer");
    if (first == 0) first = p;
    std::span<uint8_t> data = memory.bytes(p);
    for (uint32_t n = 0; n < bytes / 4; ++n) {
      const uint32_t word = config.args.size() == 1 ? input_word(n) : 0;
      std::memcpy(data.data() + size_t{4} * n, &word, 4);
    }
    memory.mark_written(p);
    config.args.push_back(Argument::pointer(p));
  }
  LaunchOptions options;
  options.threads = shape.threads;
  options.order_seed = shape.order_seed;
  options.instruction_budget = 4'000'000;
  options.limits.heap_bytes = shape.heap_bytes;
  Result<LaunchResult> launched = launch(*program, memory, config, options);
  if (!launched) fail_launch(render(launched.errors()), text);
  CheckedResult result;
  result.completed = launched->completed;
  result.findings = std::move(launched->findings);
  std::memcpy(&result.wrong, memory.bytes(first).data(), 4);
  std::memcpy(&result.flag, memory.bytes(first).data() + 4, 4);
  return result;
}

void expect_correct(const CheckedResult& result, const std::string& text) {
  for (const Finding& finding : result.findings) {
    if (finding.severity == Severity::kError)
      fail_launch("line " + std::to_string(finding.ptx_line) + ": " + finding.message, text);
  }
  if (!result.completed) fail_launch("a correct kernel did not complete", text);
  if (result.wrong != 0) fail_launch(std::to_string(result.wrong) + " values are wrong", text);
}

}  // namespace warpshop::fuzz
