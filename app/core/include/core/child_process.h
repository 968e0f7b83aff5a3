// A program that communicates over its standard streams: a GPU worker, local or over ssh, in lines;
// the compiler, in lines followed by bytes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
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
  std::vector<std::pair<std::string, std::string>> environment;  // added to our own
  std::filesystem::path folder;                                  // working directory; empty: ours
};

// Not copyable. Destroying it kills the child and everything that the child started.
class ChildProcess {
 public:
  // Looks argv[0] up as a shell does. The child runs in its own session, without a terminal, so
  // nothing in it can prompt for a password. Error: it could not be started, with the reason.
  static Result<ChildProcess> start(const std::vector<std::string>& argv,
                                    const ChildOptions& options = {});
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();

  using Clock = std::chrono::steady_clock;

  // Returns false if the child has stopped reading or the deadline has passed.
  bool write(std::string_view text, Clock::time_point deadline);

  enum class Read { kLine, kTimeout, kClosed, kStopped, kTooLong };
  // Reads the next line, without its line end. Standard error is collected for error_tail(). A line
  // longer than `limit_bytes` ends the conversation: kTooLong.
  Read read_line(std::string& line, Clock::time_point deadline, const StopFlag* stop = nullptr,
                 size_t limit_bytes = size_t{1} << 30);
  // Reads exactly `count` bytes, likewise: kLine, or why there are none.
  Read read_bytes(std::string& bytes, size_t count, Clock::time_point deadline,
                  const StopFlag* stop = nullptr);

  void close_input();
  // Waits, then kills. Returns the wait status as text: "ended with status 3", "was killed by
  // signal 9 (Killed)".
  Sentence finish(Clock::time_point deadline);
  void kill();                                                 // the child and its process group
  std::optional<int> wait_status(Clock::time_point deadline);  // as from waitpid; reaped only once
  pid_t pid() const { return pid_; }
  int input() const { return input_; }  // a socket, for messages with descriptors
  // Its memory at its largest; 0 until it has ended.
  uint64_t peak_bytes() const { return peak_bytes_; }

  // The last 4 KiB of its standard error.
  std::string error_tail();

 private:
  ChildProcess() = default;
  void release();
  bool drain_errors();
  // As waitpid(2): true once it has been reaped, and status_ is known.
  bool reap(int options);
  // Waits for output and appends it to pending_. None: there is some.
  std::optional<Read> read_more(Clock::time_point deadline, const StopFlag* stop);

  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  int errors_ = -1;
  std::optional<int> status_;
  uint64_t peak_bytes_ = 0;
  std::string pending_;  // read but not yet returned
  size_t scanned_ = 0;   // bytes of pending_ already searched for a line end
  std::string error_text_;
};

// "ended with status 3", "was killed by signal 9 (Killed)".
Sentence wait_status_text(int status);

// The path of the running program.
std::filesystem::path own_program();

// Splits a command line as a shell would: words, quotes, backslashes. Nothing is expanded. Error:
// an unclosed quote, or no words.
Result<std::vector<std::string>> split_command(std::string_view text);

}  // namespace warpshop
