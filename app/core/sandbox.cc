#include "core/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <tuple>

#include "core/descriptor.h"
#include "core/process_limits.h"

namespace warpshop {
namespace {

// From linux/landlock.h, which the build's headers may be too old to have. The numbers are the same
// on every architecture.
constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;
constexpr unsigned kVersionFlag = 1;
constexpr int kPathBeneath = 1;

struct RulesetAttributes {
  uint64_t handled_files;
  uint64_t handled_network;  // ABI 4
  uint64_t scoped;           // ABI 6
};
struct __attribute__((packed)) PathBeneath {
  uint64_t allowed;
  int32_t parent;
};

constexpr uint64_t kReadFile = 1 << 2;
constexpr uint64_t kReadFolder = 1 << 3;
constexpr uint64_t kFilesOfAbi1 = (1 << 13) - 1;

// Every access right known to this ABI; all of them are denied by default.
uint64_t file_rights(int abi) {
  uint64_t rights = kFilesOfAbi1;
  if (abi >= 2) rights |= 1 << 13;  // REFER
  if (abi >= 3) rights |= 1 << 14;  // TRUNCATE
  if (abi >= 5) rights |= 1 << 15;  // IOCTL_DEV
  return rights;
}

int landlock_abi() {
  const long abi = ::syscall(kCreateRuleset, nullptr, 0, kVersionFlag);
  return abi > 0 ? static_cast<int>(abi) : 0;
}

bool make_readable(int set, int place) {
  struct stat info {};
  if (::fstat(place, &info) != 0) return false;
  PathBeneath rule{S_ISDIR(info.st_mode) ? kReadFile | kReadFolder : kReadFile, place};
  return ::syscall(kAddRule, set, kPathBeneath, &rule, 0) == 0;
}

// Returns false on failure; errno gives the reason.
bool enter_landlock(int abi, const SandboxRules& rules) {
  RulesetAttributes attributes{file_rights(abi), abi >= 4 ? 3U : 0U, abi >= 6 ? 3U : 0U};
  const size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  const Descriptor set(static_cast<int>(::syscall(kCreateRuleset, &attributes, size, 0)));
  if (!set.is_open()) return false;
  for (const std::filesystem::path& path : rules.readable) {
    const Descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!place.is_open() && errno == ENOENT) continue;  // nothing there to allow
    if (!place.is_open() || !make_readable(set.get(), place.get())) return false;
  }
  if (rules.folder >= 0 && !make_readable(set.get(), rules.folder)) return false;
  return ::syscall(kRestrictSelf, set.get(), 0) == 0;
}

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the sandbox knows the system calls of x86-64 and of 64-bit Arm"
#endif

// System calls needed for computing and reading files. Everything else fails with EPERM: no
// sockets, no new processes or threads, no access to other processes, no mounts, no tracing.
constexpr int kAllowed[] = {
    __NR_read,
    __NR_write,
    __NR_readv,
    __NR_writev,
    __NR_pread64,
    __NR_pwrite64,
    __NR_lseek,
    __NR_close,
    __NR_openat,
    __NR_newfstatat,
    __NR_fstat,
    __NR_statx,
    __NR_faccessat,
    __NR_faccessat2,
    __NR_readlinkat,
    __NR_getdents64,
    __NR_getcwd,
    __NR_dup,
    __NR_dup3,
    __NR_mmap,
    __NR_munmap,
    __NR_mremap,
    __NR_mprotect,
    __NR_madvise,
    __NR_brk,
    __NR_futex,
    __NR_sched_yield,
    __NR_rt_sigaction,
    __NR_rt_sigprocmask,
    __NR_rt_sigreturn,
    __NR_sigaltstack,
    __NR_exit,
    __NR_exit_group,
    __NR_getpid,
    __NR_gettid,
    __NR_getrandom,
    __NR_clock_gettime,
    __NR_clock_nanosleep,
    __NR_nanosleep,
    __NR_gettimeofday,
    __NR_getrusage,
    __NR_sysinfo,
    __NR_uname,
    __NR_getuid,
    __NR_geteuid,
    __NR_getgid,
    __NR_getegid,
    __NR_sched_getaffinity,
    __NR_getcpu,
    __NR_set_robust_list,
    __NR_restart_syscall,
    __NR_clock_getres,
    __NR_membarrier,
#ifdef __NR_rseq
    __NR_rseq,
#endif
#ifdef __NR_open
    __NR_open,
#endif
#ifdef __NR_stat
    __NR_stat,
#endif
#ifdef __NR_lstat
    __NR_lstat,
#endif
#ifdef __NR_access
    __NR_access,
#endif
#ifdef __NR_readlink
    __NR_readlink,
#endif
#ifdef __NR_time
    __NR_time,
#endif
};

// One argument of a system call and its allowed values. The kernel treats both as int, so only the
// low 32 bits count; they come first on the processors that kArchitecture names.
struct Restricted {
  int call;
  unsigned argument;
  std::vector<uint32_t> values;
};

bool enter_seccomp() {
  // abort() signals its own process. F_SETOWN and F_SETFL could make the kernel signal another one.
  const Restricted restricted[] = {
      {__NR_tgkill, 0, {static_cast<uint32_t>(::getpid())}},
      {__NR_fcntl, 1, {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL}},
  };
  const sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const sock_filter refuse = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  const auto equals = [](uint32_t value, size_t skip_otherwise) -> sock_filter {
    return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, static_cast<uint8_t>(skip_otherwise));
  };
  for (const int call : kAllowed) {
    filter.push_back(equals(static_cast<uint32_t>(call), 1));
    filter.push_back(allow);
  }
  for (const Restricted& rule : restricted) {
    filter.push_back(equals(static_cast<uint32_t>(rule.call), 2 + 2 * rule.values.size()));
    filter.push_back(
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                 static_cast<uint32_t>(offsetof(seccomp_data, args) + 8 * rule.argument)));
    for (const uint32_t value : rule.values) {
      filter.push_back(equals(value, 1));
      filter.push_back(allow);
    }
    filter.push_back(refuse);
  }
  filter.push_back(refuse);
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Sets each limit independently; failures are added to `problem`.
bool enter_limits(const SandboxRules& rules, std::string& problem) {
  const auto missing = [&problem](const std::string& what) {
    problem += (problem.empty() ? "" : "; ") + what;
    return false;
  };
  bool all = true;
  const uint64_t used = address_space_bytes();
  const auto memory =
      limit_process(RLIMIT_AS, used + rules.memory_bytes, used + rules.memory_bytes);
  if (used == 0 || !memory) {
    all = missing("memory cannot be limited");
  } else if (*memory < used + rules.memory_bytes) {
    all = missing("this shell leaves " + std::to_string((*memory - std::min(*memory, used)) >> 20) +
                  " MiB of memory to a process (ulimit -v)");
  }
  // SIGXCPU at the soft limit ends the process with a clear reason; SIGKILL follows at the hard
  // limit.
  const auto cpu = limit_process(RLIMIT_CPU, rules.cpu_seconds, rules.cpu_seconds + 2);
  if (!cpu) {
    all = missing("processor time cannot be limited");
  } else if (*cpu < rules.cpu_seconds) {
    all = missing("this shell leaves " + std::to_string(*cpu) +
                  " s of processor time to a process (ulimit -t)");
  }
  for (const auto& [what, most, name] : {std::tuple(RLIMIT_FSIZE, 0, "the size of files"),
                                         {RLIMIT_CORE, 0, "core files"},
                                         {RLIMIT_NOFILE, 64, "the number of open files"}}) {
    if (!limit_process(what, static_cast<uint64_t>(most), static_cast<uint64_t>(most)))
      all = missing(std::string(name) + " cannot be limited");
  }
  return all;
}

}  // namespace

SandboxReport sandbox_support() {
  SandboxReport report;
  report.landlock_abi = landlock_abi();
  // Asks whether the action is supported without changing anything, see seccomp(2).
  const uint32_t action = SECCOMP_RET_ERRNO;
  report.seccomp = ::syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
  report.limits = true;
  return report;
}

SandboxReport enter_sandbox(const SandboxRules& rules) {
  SandboxReport report;
  const auto missing = [&report](const std::string& what) {
    report.problem += (report.problem.empty() ? "" : "; ") + what + ": " + std::strerror(errno);
  };
  report.limits = enter_limits(rules, report.problem);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    missing("no_new_privs");
    return report;
  }
  if (const int abi = landlock_abi(); abi > 0) {
    if (enter_landlock(abi, rules)) {
      report.landlock_abi = abi;
    } else {
      missing(errno == E2BIG ? "Landlock, which is already nested sixteen times around this process"
                             : "Landlock");
    }
  }
  report.seccomp = enter_seccomp();
  if (!report.seccomp) missing("seccomp");
  return report;
}

bool SandboxReport::holds(const SandboxReport& promised) const {
  return landlock_abi >= promised.landlock_abi && (seccomp || !promised.seccomp) &&
         (limits || !promised.limits);
}

std::string SandboxReport::line() const {
  std::string said = problem;
  std::replace(said.begin(), said.end(), '\n', ' ');
  return std::to_string(landlock_abi) + (seccomp ? " 1" : " 0") + (limits ? " 1 " : " 0 ") + said +
         "\n";
}

std::optional<SandboxReport> SandboxReport::of_line(std::string_view line) {
  SandboxReport report;
  int seccomp = 0, limits = 0, end = 0;
  const std::string text(line);
  if (std::sscanf(text.c_str(), "%d %d %d %n", &report.landlock_abi, &seccomp, &limits, &end) !=
          3 ||
      end == 0) {
    return std::nullopt;
  }
  report.seccomp = seccomp == 1;
  report.limits = limits == 1;
  report.problem = text.substr(static_cast<size_t>(end));
  return report;
}

std::string SandboxReport::text() const {
  return std::string("files: ") +
         (landlock_abi > 0 ? "Landlock " + std::to_string(landlock_abi)
                           : "this kernel has no Landlock, so submissions can #include any file "
                             "that you can read") +
         "; system calls: " +
         (seccomp ? "seccomp" : "this kernel has no seccomp, so only the compiler restricts them") +
         (limits ? "; time, memory and output: limited" : "; no limits could be set");
}

Diagnostic without_reason(Diagnostic diagnostic) {
  std::string text = diagnostic.message;
  const size_t name = text.find("cannot open source file \"");
  const size_t end = name == std::string::npos ? name : text.find('"', text.find('"', name) + 1);
  if (end == std::string::npos) return diagnostic;
  text.resize(end + 1);
  diagnostic.message = text;
  return diagnostic;
}

}  // namespace warpshop
