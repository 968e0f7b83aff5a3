#include "compile/locked_nvrtc.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <utility>

#include "compile/child.h"
#include "compile/job_end.h"
#include "compiler_backend.h"
#include "core/charconv.h"
#include "core/files.h"
#include "core/read_some.h"
#include "core/write_all.h"
#include "nvrtc_runner.h"
#include "nvrtc_server.h"

namespace warpshop::compile {
namespace {

using namespace std::chrono_literals;
using Clock = ChildProcess::Clock;
using Read = ChildProcess::Read;
using Why = NoAnswer::Why;

constexpr auto kMostForStarting = 60s;

// Reads a channel without any other system call, since locked processes do. None: it has ended.
class Reader {
 public:
  explicit Reader(int fd) : fd_(fd) {}
  std::optional<std::string> line() {
    size_t end = 0;
    while ((end = pending_.find('\n')) == std::string::npos) {
      if (!read_some(fd_, pending_)) return std::nullopt;
    }
    std::string line = pending_.substr(0, end);
    pending_.erase(0, end + 1);
    return line;
  }
  std::optional<std::string> bytes(size_t count) {
    while (pending_.size() < count) {
      if (!read_some(fd_, pending_)) return std::nullopt;
    }
    return std::exchange(pending_, {}).substr(0, count);
  }

 private:
  int fd_;
  std::string pending_;
};

// `end`: the line that came instead of an answer.
NvrtcOutcome ask(int fd, const NvrtcJob& job, uint64_t most_bytes, std::string& end) {
  const NoAnswer ended{Why::kKilled, sentence("ended")};
  if (fd < 0 || !write_all(fd, frame_of(fields_of(job)))) return ended;
  Reader reader(fd);
  std::optional<std::string> line = reader.line();  // the number of the process that has the job
  if (line && !none_of_line(*line, most_bytes)) line = reader.line();
  if (!line) return ended;
  if (const std::optional<NoAnswer> none = none_of_line(*line, most_bytes)) {
    end = *line;
    return *none;
  }
  const auto lengths = lengths_of(*line);
  if (!lengths) return NoAnswer{Why::kCrashed, sentence("sent a damaged answer")};
  size_t all = 0;
  for (const size_t length : *lengths) all += length;
  const std::optional<std::string> bytes = reader.bytes(all);
  if (!bytes) return ended;
  std::optional<NvrtcAnswer> answer = answer_of(fields_of(*lengths, *bytes));
  if (!answer) return NoAnswer{Why::kCrashed, sentence("sent a damaged answer")};
  return std::move(*answer);
}

// One message with descriptors: unix(7), SCM_RIGHTS.
bool send_descriptors(int socket, char which, const std::vector<int>& files) {
  iovec data = {&which, 1};
  std::vector<char> room(CMSG_SPACE(files.size() * sizeof(int)));
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = room.data();
  message.msg_controllen = room.size();
  cmsghdr* const sent = CMSG_FIRSTHDR(&message);
  sent->cmsg_level = SOL_SOCKET;
  sent->cmsg_type = SCM_RIGHTS;
  sent->cmsg_len = CMSG_LEN(files.size() * sizeof(int));
  std::memcpy(CMSG_DATA(sent), files.data(), files.size() * sizeof(int));
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

}  // namespace

class LockedNvrtc::Channel : public NvrtcRunner {
 public:
  explicit Channel(uint64_t most_bytes) : most_bytes_(most_bytes) {}

  NvrtcOutcome run(const NvrtcJob& job, const StopFlag*) override {
    end.clear();
    none.reset();
    NvrtcOutcome outcome = ask(fd, job, most_bytes_, end);
    const auto* answer = std::get_if<NvrtcAnswer>(&outcome);
    if (answer == nullptr) none = std::get<NoAnswer>(outcome);
    if (answer != nullptr && answer->late) none = NoAnswer{Why::kLate, {}};
    return outcome;
  }
  uint64_t most_bytes() const override { return most_bytes_; }

  int fd = -1;
  std::optional<NoAnswer> none;
  std::string end;

 private:
  uint64_t most_bytes_;
};

Result<LockedNvrtc> LockedNvrtc::start(const LockedLimits& limits,
                                       const std::filesystem::path& forbidden) {
  if (!can_be_child())
    return make_error("nvrtc", sentence("this program cannot start its own compiler"));
  auto library = load_nvrtc();
  if (!library.ok()) return library.errors();
  LockedNvrtc out;
  out.channel_ = std::make_shared<Channel>(limits.memory_bytes);
  out.compiler_ = compiler_of(std::move(*library), out.channel_);
  out.forbidden_ = std::filesystem::absolute(forbidden);
  out.rules_.memory_bytes = limits.memory_bytes;
  out.rules_.cpu_seconds = limits.cpu_seconds;
  out.rules_.readable = {data_dir() / "assets" / "prelude",
                         std::filesystem::path(out.compiler_->library_path()).parent_path()};
  for (const std::filesystem::path& headers : out.compiler_->include_paths())
    out.rules_.readable.push_back(headers);
  for (const std::filesystem::path& path : limits.readable) out.rules_.readable.push_back(path);
  const Status started = out.start_child();
  if (!started.ok()) return started.errors();
  return out;
}

Status LockedNvrtc::start_child() {
  std::vector<std::string> words = {"/proc/self/exe", std::string(kServeArgument),
                                    std::to_string(rules_.memory_bytes),
                                    std::to_string(rules_.cpu_seconds), forbidden_.string()};
  for (const std::filesystem::path& path : rules_.readable) words.push_back(path.string());
  Result<ChildProcess> child = ChildProcess::start(words);
  if (!child.ok()) return child.errors();
  child_.emplace(std::move(*child));
  const Clock::time_point end = Clock::now() + kMostForStarting;
  std::string line, bytes;
  Read read = child_->read_line(line, end);
  const auto lengths = read == Read::kLine ? lengths_of(line) : std::nullopt;
  size_t all = 0;
  for (const size_t length : lengths.value_or(std::vector<size_t>())) all += length;
  if (lengths) read = child_->read_bytes(bytes, all, end);
  if (!lengths || read != Read::kLine)
    return make_error("tool", sentence("the compiler's process did not start: {why}",
                                       {{"why", child_->error_tail()}}));
  const std::vector<std::string> said = fields_of(*lengths, bytes);
  std::optional<SandboxReport> report = SandboxReport::of_line(said.front());
  if (!report)
    return make_error("tool", said.size() > 1 ? said[1] : std::string(),
                      said.size() > 2 ? said[2] : std::string());
  report_ = std::move(*report);
  return success();
}

Status LockedNvrtc::open(int working, int readable) {
  close();
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return make_error("tool",
                      sentence("cannot create a pipe: {error}", {{"error", std::strerror(errno)}}));
  Descriptor ours(ends[0]);
  const Descriptor theirs(ends[1]);
  std::vector<int> files = {theirs.get()};
  char which = 0;
  if (readable >= 0) files.push_back(readable), which |= kHasReadable;
  if (working >= 0) files.push_back(working), which |= kHasWorking;
  std::string line;
  // A process that was killed, as Linux does when memory runs out, is replaced.
  for (int tries = 0; tries < 2; ++tries) {
    if (tries > 0) {
      const Status started = start_child();
      if (!started.ok()) return started;
    }
    if (!send_descriptors(child_->input(), which, files)) {
      if (errno == EBADF) break;
      continue;
    }
    if (child_->read_line(line, Clock::now() + kMostForStarting) != Read::kLine) continue;
    const std::optional<int> holder = parse_number<int>(line);
    if (!holder || *holder <= 0) continue;
    holder_ = *holder;
    channel_->fd = std::exchange(ours, Descriptor()).release();
    channel_->none.reset();
    channel_->end.clear();
    return success();
  }
  return make_error("tool", sentence("the compiler's process did not start: {why}",
                                     {{"why", child_->error_tail()}}));
}

void LockedNvrtc::close() {
  if (channel_->fd >= 0) ::close(channel_->fd);
  channel_->fd = -1;
}

int LockedNvrtc::channel() const { return channel_->fd; }

void LockedNvrtc::channel_is_at(int fd) { channel_->fd = fd; }

const std::optional<NoAnswer>& LockedNvrtc::no_answer() const { return channel_->none; }

const std::string& LockedNvrtc::end_line() const { return channel_->end; }

}  // namespace warpshop::compile
