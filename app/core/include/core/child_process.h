// A program that talks in lines on its standard streams: a GPU worker, here or at the other end of
// ssh.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "core/stop.h"

namespace warpshop {

struct ChildOptions {
  std::vector<std::pair<std::string, std::string>> environment;  // added to ours
  std::filesystem::path folder;                                  // to start in; empty: ours
};

// Not copyable; the child is killed with all that it started when this value goes.
class ChildProcess {
 public:
  // argv[0] is looked for as a shell does. The child has a session of its own: it has no terminal,
  // so nothing in it can ask for a password. Error: it could not be started, with the reason.
  static Result<ChildProcess> start(const std::vector<std::string>& argv,
                                    const ChildOptions& options = {});
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();

  using Clock = std::chrono::steady_clock;

  // False when the child no longer reads or the deadline has passed.
  bool write(std::string_view text, Clock::time_point deadline);

  enum class Read { kLine, kTimeout, kClosed, kStopped, kTooLong };
  // The next line without its end. What stands on standard error is kept for error_tail(). A line
  // longer than `limit_bytes` ends the talk: kTooLong.
  Read read_line(std::string& line, Clock::time_point deadline, const StopFlag* stop = nullptr,
                 size_t limit_bytes = size_t{1} << 30);

  void close_input();
  // Waits, then kills. The wait status as a sentence: "ended with status 3", "was killed by signal
  // 9 (Killed)".
  Sentence finish(Clock::time_point deadline);
  void kill();                                                 // the child and its process group
  std::optional<int> wait_status(Clock::time_point deadline);  // as waitpid gives it; reaped once
  pid_t pid() const { return pid_; }

  // The last 4 KiB of its standard error.
  std::string error_tail();

 private:
  ChildProcess() = default;
  void release();
  bool drain_errors();

  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  int errors_ = -1;
  std::optional<int> status_;
  std::string pending_;  // read, but not yet given out
  size_t scanned_ = 0;   // of pending_, without a line's end
  std::string error_text_;
};

// "ended with status 3", "was killed by signal 9 (Killed)".
Sentence wait_status_text(int status);

// The path of the running program.
std::filesystem::path own_program();

// A command line split as a shell would: words, quotes, backslashes; nothing is expanded. Error: a
// quote that is not closed, or no word.
Result<std::vector<std::string>> split_command(std::string_view text);

}  // namespace warpshop
