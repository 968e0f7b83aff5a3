#include "compile_process.h"

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/job_end.h"
#include "core/charconv.h"

namespace warpshop::serve {
namespace {

using namespace std::chrono_literals;
using compile::NoAnswer;
using Why = NoAnswer::Why;
using Clock = ChildProcess::Clock;
using Read = ChildProcess::Read;

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == at) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

}  // namespace

Result<CompileChild> CompileChild::start(const CompileLimits& limits) {
  Result<ChildProcess> process =
      ChildProcess::start({"/proc/self/exe", std::string(kCompileChildArgument),
                           std::to_string(limits.memory_bytes), std::to_string(limits.seconds)});
  if (!process.ok()) return process.errors();
  CompileChild child(std::move(*process), limits);
  std::string line;
  if (child.process_.read_line(line, Clock::now() + 60s) != Read::kLine)
    return make_error("tool", sentence("the compiler's process did not start: {why}",
                                       {{"why", child.process_.error_tail()}}));
  const size_t space = line.find(' ');
  const std::string word = line.substr(0, space);
  const std::vector<std::string> parts = split(std::string_view(line).substr(space + 1), '\t');
  if (word != "ready" || parts.size() != 3)
    return make_error("nvrtc", parts.front(), parts.size() > 1 ? parts[1] : std::string());
  child.version_ = parts[0];
  child.library_ = parts[1];
  child.locks_ = parts[2];
  return child;
}

std::variant<std::string, NoAnswer> CompileChild::answer(const std::string& request,
                                                         const StopFlag* stop) {
  well_ = false;
  // On a busy machine the processor time takes longer to accumulate.
  const Clock::time_point end = Clock::now() + std::chrono::seconds(8 * limits_.seconds + 20);
  std::string line, bytes;
  if (!process_.write(std::to_string(request.size()) + "\n" + request, end))
    return NoAnswer{Why::kCrashed, sentence("closed its input")};
  const Read read = process_.read_line(line, end, stop);
  if (read == Read::kStopped) return NoAnswer{Why::kStopped, {}};
  if (read == Read::kTimeout) return NoAnswer{Why::kWaits, {}};
  const std::vector<std::string> words = split(line, ' ');
  if (read == Read::kLine && words[0] == "answer" && words.size() == 2) {
    const std::optional<size_t> size = parse_number<size_t>(words[1]);
    if (size && *size <= kMostAnswerBytes &&
        process_.read_bytes(bytes, *size, end) == Read::kLine) {
      well_ = true;
      return bytes;
    }
  } else if (read == Read::kLine) {
    if (const auto none = compile::none_of_line(line, limits_.memory_bytes)) {
      well_ = none->why != Why::kNotStarted;
      return *none;
    }
  }
  return NoAnswer{Why::kKilled, sentence("ended")};
}

}  // namespace warpshop::serve
