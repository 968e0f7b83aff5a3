// The worker's own kernels: comparing, looking at guard zones, sweeping the L2, new inputs. CUDA
// C++, compiled by NVRTC for the GPU like the student's.
#pragma once

namespace warpshop::device {

// Entry points are extern "C": warpshop_compare_TYPE for each element type, warpshop_guard,
// warpshop_sweep, warpshop_refill, warpshop_copy, warpshop_empty, warpshop_make_chain,
// warpshop_chase, warpshop_chase_shared.
extern const char* const kHelperSource;

// What warpshop_compare writes.
struct CompareCounters {
  unsigned long long wrong = 0;
  unsigned long long first = ~0ULL;       // the smallest index that is wrong
  unsigned long long max_error_bits = 0;  // of a double that is not negative: they order alike
};

// What warpshop_guard writes.
struct GuardCounters {
  unsigned long long changed = 0;  // bytes
  unsigned long long first = ~0ULL;
};

// The two patterns that outputs hold before a launch. They differ in every byte, so a byte that
// shows the first after the first launch and the second after the second was not written.
inline constexpr unsigned char kPoison[2] = {0xA5, 0x5A};
inline constexpr unsigned char kGuardPattern = 0xC3;

}  // namespace warpshop::device
