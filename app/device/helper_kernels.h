// The worker's own kernels: comparison, guard-zone checks, L2 flushing, new inputs. CUDA C++,
// compiled by NVRTC like the student's kernel.
#pragma once

namespace warpshop::device {

// Entry points are extern "C": warpshop_compare_TYPE for each element type, warpshop_guard,
// warpshop_sweep, warpshop_refill, warpshop_copy, warpshop_empty, warpshop_make_chain,
// warpshop_chase, warpshop_chase_shared.
extern const char* const kHelperSource;

// The output of warpshop_compare.
struct CompareCounters {
  unsigned long long wrong = 0;
  unsigned long long first = ~0ULL;       // the smallest wrong index
  unsigned long long max_error_bits = 0;  // bits of a non-negative double, whose order matches the
                                          // values'
};

// The output of warpshop_guard.
struct GuardCounters {
  unsigned long long changed = 0;  // bytes
  unsigned long long first = ~0ULL;
};

// The two patterns that fill outputs before a launch. They differ in every byte, so a byte that
// still shows the first after one launch and the second after the other was never written.
inline constexpr unsigned char kPoison[2] = {0xA5, 0x5A};
inline constexpr unsigned char kGuardPattern = 0xC3;

}  // namespace warpshop::device
