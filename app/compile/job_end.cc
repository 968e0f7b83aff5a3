#include "compile/job_end.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>

#include "core/charconv.h"
#include "core/child_process.h"

namespace warpshop::compile {

std::string line_of_end(int wait_status, uint64_t peak_bytes) {
  return "ended " + std::to_string(wait_status) + " " + std::to_string(peak_bytes) + "\n";
}

std::string line_of_open(std::string problem) {
  std::replace(problem.begin(), problem.end(), '\n', ' ');
  return "open " + problem + "\n";
}

std::optional<NoAnswer> none_of_line(std::string_view line, uint64_t most_bytes) {
  using Why = NoAnswer::Why;
  if (line.starts_with("open ")) return NoAnswer{Why::kNotStarted, std::string(line.substr(5))};
  if (!line.starts_with("ended ")) return std::nullopt;
  line.remove_prefix(6);
  const size_t space = std::min(line.find(' '), line.size());
  const std::optional<int> status = parse_number<int>(line.substr(0, space));
  const std::optional<uint64_t> peak =
      parse_number<uint64_t>(line.substr(std::min(space + 1, line.size())));
  if (!status || !peak) return NoAnswer{Why::kCrashed, sentence("sent a damaged answer")};
  return none_of_end(*status, *peak, most_bytes);
}

NoAnswer none_of_end(int wait_status, uint64_t peak_bytes, uint64_t most_bytes) {
  using Why = NoAnswer::Why;
  const int signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
  if (signal == SIGPROF || signal == SIGXCPU) return {Why::kLate, {}};  // its own limits
  // A failed doubling of what it has ends it.
  if (peak_bytes > most_bytes / 2) return {Why::kMemory, {}};
  return {signal == SIGKILL || signal == SIGTERM ? Why::kKilled : Why::kCrashed,
          wait_status_text(wait_status)};
}

}  // namespace warpshop::compile
