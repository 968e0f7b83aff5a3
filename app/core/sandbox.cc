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

#include <cstdio>
#include <fstream>

namespace warpshop {
namespace {

// linux/landlock.h of a kernel newer than the build's headers; the numbers are the same on every
// architecture.
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

// All rights that this ABI knows are taken away.
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

bool enter_landlock(int abi, const SandboxRules& rules) {
  RulesetAttributes attributes{file_rights(abi), abi >= 4 ? 3U : 0U, abi >= 6 ? 3U : 0U};
  const size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  const auto set = static_cast<int>(::syscall(kCreateRuleset, &attributes, size, 0));
  if (set < 0) return false;
  for (const std::filesystem::path& path : rules.readable) {
    const int parent = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (parent < 0) continue;  // what is not there need not be allowed
    struct stat info {};
    const bool folder = ::fstat(parent, &info) == 0 && S_ISDIR(info.st_mode);
    PathBeneath rule{folder ? kReadFile | kReadFolder : kReadFile, parent};
    ::syscall(kAddRule, set, kPathBeneath, &rule, 0);
    ::close(parent);
  }
  const bool entered = ::syscall(kRestrictSelf, set, 0) == 0;
  ::close(set);
  return entered;
}

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the sandbox knows the system calls of x86-64 and of 64-bit Arm"
#endif

// What computing and reading files needs. Everything else fails with EPERM: no socket, no new
// process or thread, no other process, no mount, no tracing.
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
    __NR_fcntl,
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
    __NR_tgkill,
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

bool enter_seccomp() {
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  for (const int call : kAllowed) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Bytes of address space in use now.
uint64_t address_space() {
  std::ifstream statm("/proc/self/statm");
  uint64_t pages = 0;
  statm >> pages;
  return pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

bool limit(int what, uint64_t value) {
  const rlimit limits{value, value};
  return ::setrlimit(static_cast<__rlimit_resource_t>(what), &limits) == 0;
}

}  // namespace

SandboxReport sandbox_support() {
  SandboxReport report;
  report.landlock_abi = landlock_abi();
  // seccomp(2): asks whether the action is known, changes nothing.
  const uint32_t action = SECCOMP_RET_ERRNO;
  report.seccomp = ::syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
  report.limits = true;
  return report;
}

SandboxReport enter_sandbox(const SandboxRules& rules) {
  SandboxReport report;
  report.limits = limit(RLIMIT_AS, address_space() + rules.memory_bytes) &&
                  limit(RLIMIT_CPU, rules.cpu_seconds) && limit(RLIMIT_FSIZE, 0) &&
                  limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, 64);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return report;
  const int abi = landlock_abi();
  if (abi > 0 && enter_landlock(abi, rules)) report.landlock_abi = abi;
  report.seccomp = enter_seccomp();
  return report;
}

std::string SandboxReport::text() const {
  return std::string("files: ") +
         (landlock_abi > 0 ? "Landlock " + std::to_string(landlock_abi)
                           : "this kernel has no Landlock, so submissions can #include any file "
                             "that you can read") +
         "; system calls: " +
         (seccomp ? "seccomp"
                  : "this kernel has no seccomp, so only the compiler holds them back") +
         (limits ? "; time, memory and output: limited" : "; no limits could be set");
}

}  // namespace warpshop
