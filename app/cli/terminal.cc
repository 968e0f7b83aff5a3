#include "terminal.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace warpshop::cli {
namespace {

StopFlag g_stop;  // a signal handler reaches nothing but globals

void on_interrupt(int) { g_stop.request(); }

}  // namespace

Paint Paint::for_standard_output() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  return Paint(::isatty(STDOUT_FILENO) != 0 && !dumb && (no_color == nullptr || *no_color == '\0'));
}

std::string Paint::wrap(std::string_view text, const char* code) const {
  if (!colour_ || text.empty()) return std::string(text);
  return std::string("\033[") + code + "m" + std::string(text) + "\033[0m";
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
    std::fprintf(stderr, "\r\033[K%s  %lld s  (Ctrl-C stops)", what_.c_str(),
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

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print_error(std::string_view text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace warpshop::cli
