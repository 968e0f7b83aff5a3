#include "cli/enough_stack.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace warpshop::cli {
namespace {

constexpr int kFailed = 3;

struct Call {
  int (*program)(int, char**);
  int argc;
  char** argv;
  int status;
};
Call g_call{};

void make_call() { g_call.status = g_call.program(g_call.argc, g_call.argv); }

// The first thread's stack grows up to the limit of the moment, so raising it is enough. Returns
// the limit, raised as far as the hard one allows.
size_t raise_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kStackBytes) return kStackBytes;
  rlimit raised = limit;
  raised.rlim_cur = std::min<rlim_t>(limit.rlim_max, kStackBytes);
  return ::setrlimit(RLIMIT_STACK, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}

void set_stack_of_threads() {
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return;
  if (::pthread_attr_setstacksize(&attributes, kStackBytes) == 0)
    ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
}

// Still in the first thread: what NVRTC makes of a text depends on its heap, and another thread
// would have another one (compile/settled_heap.h).
bool call_on_own_stack() {
  const auto guard = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  void* const memory = ::mmap(nullptr, guard + kStackBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  ucontext_t here, there;
  if (::mprotect(memory, guard, PROT_NONE) != 0 || ::getcontext(&there) != 0) return false;
  there.uc_stack.ss_sp = static_cast<char*>(memory) + guard;
  there.uc_stack.ss_size = kStackBytes;
  there.uc_link = &here;
  ::makecontext(&there, make_call, 0);
  return ::swapcontext(&here, &there) == 0;
}

}  // namespace

int with_enough_stack(int (*program)(int, char**), int argc, char** argv) {
  set_stack_of_threads();
  const size_t bytes = raise_limit();
  if (bytes >= kStackBytes) return program(argc, argv);
  g_call = {program, argc, argv, kFailed};
  if (!call_on_own_stack()) {
    std::fprintf(stderr,
                 "warpshop: error: the stack limit is %zu KiB, and there is no memory for a larger "
                 "stack\nhelp: ulimit -s %zu\n",
                 bytes >> 10, kStackBytes >> 10);
  }
  return g_call.status;
}

}  // namespace warpshop::cli
