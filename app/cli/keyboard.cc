#include "keyboard.h"

#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cctype>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace warpshop::cli {
namespace {

// A signal handler can only reach globals.
termios g_before{};
std::atomic<bool> g_taken{false};
std::atomic<int> g_event{-1};
std::atomic<int> g_end{0};
std::atomic<bool> g_resized{false};
std::atomic<bool> g_continued{false};

constexpr int kEndings[] = {SIGINT, SIGTERM, SIGHUP};

void on_terminal_signal(int number) {
  if (number == SIGWINCH) {
    g_resized = true;
  } else if (number == SIGCONT) {
    g_continued = true;
  } else {
    // The handler is gone by now: another signal ends the process, so the terminal must be in
    // order.
    if (g_taken) ::tcsetattr(STDIN_FILENO, TCSANOW, &g_before);
    g_end = number;
  }
  const uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(g_event, &one, sizeof one);
}

// Leaves a signal alone that is ignored, as after nohup.
void handle(int number, int flags) {
  struct sigaction action = {};
  if (::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = on_terminal_signal;
  action.sa_flags = flags;
  ::sigaction(number, &action, nullptr);
}

}  // namespace

Keyboard::Keyboard() {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) return;
  if (::tcgetattr(STDIN_FILENO, &g_before) != 0) return;
  there_ = true;
  take();
}

void Keyboard::take() const {
  if (!there_) return;
  termios raw = g_before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 0;  // read() never waits
  raw.c_cc[VTIME] = 0;
  g_taken = ::tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
}

void Keyboard::restore() {
  if (g_taken.exchange(false)) ::tcsetattr(STDIN_FILENO, TCSANOW, &g_before);
}

std::optional<Key> Keyboard::read() const {
  std::array<char, 16> bytes{};
  // One key, or one sequence: a terminal sends a sequence in one piece.
  const ssize_t got = ::read(STDIN_FILENO, bytes.data(), 1);
  if (got < 0) return Key{KeyKind::kEnd};
  if (got == 0) return std::nullopt;
  const char first = bytes[0];
  if (first == '\033') {
    const ssize_t rest = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    const std::string_view sequence(bytes.data(), rest > 0 ? static_cast<size_t>(rest) : 0);
    if (sequence.empty()) return Key{KeyKind::kEscape};
    if (sequence == "[A" || sequence == "OA") return Key{KeyKind::kUp};
    if (sequence == "[B" || sequence == "OB") return Key{KeyKind::kDown};
    return std::nullopt;
  }
  if (first == '\r' || first == '\n') return Key{KeyKind::kEnter};
  if (first == '\004') return Key{KeyKind::kEnd};  // Ctrl-D
  const auto byte = static_cast<unsigned char>(first);
  if (byte < 0x20 || byte >= 0x7F) return std::nullopt;
  return Key{KeyKind::kCharacter, static_cast<char>(std::tolower(byte))};
}

TerminalSignals::TerminalSignals() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  g_event = event_.get();
  g_end = 0;
  for (const int number : kEndings) handle(number, static_cast<int>(SA_RESETHAND));
  handle(SIGWINCH, SA_RESTART);
  handle(SIGCONT, SA_RESTART);
}

TerminalSignals::~TerminalSignals() {
  for (const int number : kEndings) std::signal(number, SIG_DFL);
  std::signal(SIGWINCH, SIG_DFL);
  std::signal(SIGCONT, SIG_DFL);
  g_event = -1;
}

TerminalSignals::Seen TerminalSignals::take() {
  uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(event_.get(), &count, sizeof count);
  return {g_end, g_resized.exchange(false), g_continued.exchange(false)};
}

int terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
  return size.ws_col;
}

void clear_screen() {
  const char* term = std::getenv("TERM");
  const bool plain = term == nullptr || *term == '\0' || std::string_view(term) == "dumb";
  std::fputs(plain ? "\n--------\n" : "\033[H\033[2J", stdout);
  std::fflush(stdout);
}

}  // namespace warpshop::cli
