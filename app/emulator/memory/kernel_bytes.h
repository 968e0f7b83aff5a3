// Bytes shared by a kernel's threads. A kernel may race on them: then they hold what either thread
// wrote, as on a GPU, and the race checks inform the student. The thread sanitizer ignores them, so
// that it can watch everything else.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1  // GCC's name for it
#endif
#endif

#ifdef __SANITIZE_THREAD__
extern "C" void AnnotateBenignRaceSized(const char* file, int line, const volatile void* address,
                                        size_t bytes, const char* description);
#endif

namespace warpshop::emulator {

inline void let_kernels_race(const uint8_t* bytes, size_t count) {
#ifdef __SANITIZE_THREAD__
  if (bytes != nullptr)
    AnnotateBenignRaceSized(__FILE__, __LINE__, bytes, count, "a kernel's memory");
#else
  static_cast<void>(bytes);
  static_cast<void>(count);
#endif
}

}  // namespace warpshop::emulator
