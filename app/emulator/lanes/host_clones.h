// One source, a clone for each vector width of the host; the loader picks. For integer loops only, which give the
// same bits everywhere. None under a sanitizer: the loader picks before its run-time is ready.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define WARPSHOP_CLONES __attribute__((target_clones("arch=skylake-avx512", "avx2", "default")))
#else
#define WARPSHOP_CLONES
#endif
