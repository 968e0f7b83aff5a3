// A page in a browser starts no programs. In the place of this program's own GPU worker is the
// class's: a socket, api/gpu, that speaks the same protocol, a line per message
// (docs/serving.md). The page's main thread has the socket; the thread that measures waits.
#include <emscripten.h>
#include <emscripten/threading.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include "core/child_process.h"

namespace warpshop {
namespace {

constexpr std::chrono::milliseconds kStopPoll{20};  // how quickly a stop request takes effect

// Counts what has happened to a socket. The main thread writes it.
using News = std::atomic<int32_t>;

}  // namespace

// clang-format off
EM_JS(void, page_link_open, (int id, News* news), {
  const links = Module["links"] = Module["links"] || new Map();
  const address = new URL("../api/gpu", document.baseURI);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address);
  const link = {socket: socket, lines: [], unsent: [], closed: false};
  links.set(id, link);
  const tell = () => {
    if (links.get(id) !== link) return;
    Atomics.add(HEAP32, news >> 2, 1);
    Atomics.notify(HEAP32, news >> 2);
  };
  socket.onopen = () => {
    for (const text of link.unsent) socket.send(text);
    link.unsent = [];
  };
  socket.onmessage = (event) => {
    const text = event.data;
    link.lines.push(new TextEncoder().encode(text.endsWith("\n") ? text : text + "\n"));
    tell();
  };
  socket.onclose = () => {
    link.closed = true;
    tell();
  };
})

// 0: closed.
EM_JS(int, page_link_send, (int id, const char* text, size_t size), {
  const link = Module["links"].get(id);
  if (!link || link.closed) return 0;
  const line = new TextDecoder().decode(HEAPU8.slice(text, text + size));
  if (link.socket.readyState === 0) link.unsent.push(line);
  else link.socket.send(line);
  return 1;
})

// The size of the next line, 0 if there is none yet, or -1 if there will be none.
EM_JS(int, page_link_waiting, (int id), {
  const link = Module["links"].get(id);
  if (!link) return -1;
  return link.lines.length ? link.lines[0].length : link.closed ? -1 : 0;
})

EM_JS(void, page_link_take, (int id, char* line), {
  HEAPU8.set(Module["links"].get(id).lines.shift(), line);
})

EM_JS(void, page_link_close, (int id), {
  const link = Module["links"].get(id);
  if (!link) return;
  Module["links"].delete(id);
  link.socket.close();
})
// clang-format on

namespace {

struct Links {
  std::mutex mutex;
  int last = 0;
  std::map<int, std::unique_ptr<News>> open;  // by ChildProcess::pid()
};
Links& links() {
  static Links all;
  return all;
}
News& news_of(int id) {
  Links& all = links();
  const std::lock_guard lock(all.mutex);
  return *all.open.at(id);
}

struct Transfer {
  int id = 0;
  const std::string_view text = {};  // to send
  std::string* got = nullptr;        // appended to
  int outcome = 0;
};
// These run on the main thread.
void open_there(int id, News* news) { page_link_open(id, news); }
void close_there(int id) { page_link_close(id); }
void send_there(Transfer* transfer) {
  transfer->outcome = page_link_send(transfer->id, transfer->text.data(), transfer->text.size());
}
void take_there(Transfer* transfer) {
  transfer->outcome = page_link_waiting(transfer->id);
  if (transfer->outcome <= 0 || transfer->got == nullptr) return;
  const size_t before = transfer->got->size();
  transfer->got->resize(before + static_cast<size_t>(transfer->outcome));
  page_link_take(transfer->id, transfer->got->data() + before);
}

int run_there(void (*what)(Transfer*), Transfer transfer) {
  emscripten_sync_run_in_main_runtime_thread(EM_FUNC_SIG_VI, what, &transfer);
  return transfer.outcome;
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& argv,
                                         const ChildOptions&) {
  if (argv != std::vector<std::string>{own_program().string(), "worker"}) {
    return make_error("process",
                      sentence("'{program}' cannot be started: a browser starts no programs",
                               {{"program", argv.empty() ? std::string("nothing") : argv.front()}}),
                      sentence("use the lab that is installed on your machine for this"));
  }
  ChildProcess out;
  News* news = nullptr;
  {
    Links& all = links();
    const std::lock_guard lock(all.mutex);
    out.pid_ = ++all.last;
    news = (all.open[out.pid_] = std::make_unique<News>(0)).get();
  }
  emscripten_sync_run_in_main_runtime_thread(EM_FUNC_SIG_VII, &open_there, out.pid_, news);
  return out;
}

bool ChildProcess::write(std::string_view text, Clock::time_point) {
  return pid_ > 0 && run_there(&send_there, {.id = pid_, .text = text}) != 0;
}

std::optional<ChildProcess::Read> ChildProcess::read_more(Clock::time_point deadline,
                                                          const StopFlag* stop) {
  if (pid_ <= 0) return Read::kClosed;
  News& news = news_of(pid_);
  for (;;) {
    const int32_t seen = news.load();
    const int got = run_there(&take_there, {.id = pid_, .got = &pending_});
    if (got > 0) return std::nullopt;
    if (got < 0) return Read::kClosed;
    if (stop != nullptr && stop->requested()) return Read::kStopped;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return Read::kTimeout;
    emscripten_futex_wait(&news, static_cast<uint32_t>(seen),
                          static_cast<double>(std::min(left, kStopPoll).count()));
  }
}

ChildProcess::Read ChildProcess::read_line(std::string& line, Clock::time_point deadline,
                                           const StopFlag* stop, size_t limit_bytes) {
  for (;;) {
    const size_t end = pending_.find('\n', scanned_);
    if (end != std::string::npos) {
      line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      scanned_ = 0;
      return Read::kLine;
    }
    scanned_ = pending_.size();
    if (pending_.size() > limit_bytes) return Read::kTooLong;
    if (const std::optional<Read> none = read_more(deadline, stop)) return *none;
  }
}

ChildProcess::Read ChildProcess::read_bytes(std::string& bytes, size_t count,
                                            Clock::time_point deadline, const StopFlag* stop) {
  while (pending_.size() < count) {
    if (const std::optional<Read> none = read_more(deadline, stop)) return *none;
  }
  bytes = pending_.substr(0, count);
  pending_.erase(0, count);
  scanned_ = 0;
  return Read::kLine;
}

void ChildProcess::close_input() {}

Sentence ChildProcess::finish(Clock::time_point) {
  kill();
  return sentence("closed the connection");
}

void ChildProcess::kill() {
  if (pid_ <= 0) return;
  emscripten_sync_run_in_main_runtime_thread(EM_FUNC_SIG_VI, &close_there, pid_);
  Links& all = links();
  const std::lock_guard lock(all.mutex);
  all.open.erase(pid_);
  pid_ = -1;
}

std::optional<int> ChildProcess::wait_status(Clock::time_point) {
  if (pid_ > 0 && run_there(&take_there, {.id = pid_}) >= 0) return std::nullopt;
  return 0;
}

std::string ChildProcess::error_tail() { return {}; }

void ChildProcess::release() { kill(); }

ChildProcess::ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  release();
  pid_ = std::exchange(other.pid_, -1);
  pending_ = std::move(other.pending_);
  scanned_ = std::exchange(other.scanned_, 0);
  return *this;
}

ChildProcess::~ChildProcess() { release(); }

std::filesystem::path own_program() { return "warpshop"; }

}  // namespace warpshop
