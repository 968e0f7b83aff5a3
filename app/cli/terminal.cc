#include "terminal.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "core/terminal_text.h"

namespace warpshop::cli {
namespace {

StopFlag g_stop;  // a signal handler can only reach globals

void on_interrupt(int) { g_stop.request(); }

// Stands in for the escape character of our own colours until output. Only we know the number, so
// no other escape character gets through.
const std::string& own_escape() {
  static const std::string kMark = [] {
    std::random_device random;
    return "\033" + std::to_string(random()) + std::to_string(random());
  }();
  return kMark;
}

// Text that is safe for a terminal.
std::string shown(std::string_view text) {
  const std::string& mark = own_escape();
  std::string out;
  for (size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark)) {
    out += terminal_text(text.substr(0, at)) + '\033';
    text.remove_prefix(at + mark.size());
  }
  return out + terminal_text(text);
}

void write(std::FILE* to, std::string_view text) {
  const std::string bytes = shown(text);
  std::fwrite(bytes.data(), 1, bytes.size(), to);
}

}  // namespace

Paint Paint::for_standard_output() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  return Paint(::isatty(STDOUT_FILENO) != 0 && !dumb && (no_color == nullptr || *no_color == '\0'));
}

std::string Paint::wrap(std::string_view text, const char* code) const {
  if (!colour_ || text.empty()) return std::string(text);
  return own_escape() + "[" + code + "m" + std::string(text) + own_escape() + "[0m";
}

size_t screen_width(std::string_view text) {
  size_t width = 0;
  bool escape = false;
  for (char c : text) {
    if (c == '\033') escape = true;
    if (!escape && (static_cast<unsigned char>(c) & 0xC0) != 0x80) ++width;
    if (c == 'm') escape = false;
  }
  return width;
}

std::string pad_right(std::string_view text, size_t width) {
  const size_t taken = screen_width(text);
  return std::string(text) + std::string(taken < width ? width - taken : 0, ' ');
}

std::string pad_left(std::string_view text, size_t width) {
  const size_t taken = screen_width(text);
  return std::string(taken < width ? width - taken : 0, ' ') + std::string(text);
}

ProgressLine::ProgressLine(std::string what) : what_(std::move(what)) {
  if (::isatty(STDERR_FILENO) == 0) return;
  thread_ = std::thread([this] { show(); });
}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ProgressLine::say(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
}

void ProgressLine::show() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  std::unique_lock lock(mutex_);
  bool shown = false;
  auto wait = std::chrono::milliseconds(1000);
  while (!changed_.wait_for(lock, wait, [this] { return done_; })) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin);
    std::fprintf(stderr, "\r\033[K%s  %lld s  (Ctrl-C stops)", terminal_text(what_).c_str(),
                 static_cast<long long>(seconds.count()));
    std::fflush(stderr);
    shown = true;
    wait = std::chrono::milliseconds(200);
  }
  if (shown) std::fputs("\r\033[K", stderr);
}

Interrupt::Interrupt() {
  g_stop.reset();
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
}

Interrupt::~Interrupt() { std::signal(SIGINT, SIG_DFL); }

const StopFlag* Interrupt::flag() const { return &g_stop; }

void print(std::string_view text) { write(stdout, text); }

void print_error(std::string_view text) {
  std::fflush(stdout);
  write(stderr, text);
}

}  // namespace warpshop::cli
