// Compiles a function for each vector width of the host; the loader picks one. Only for integer
// loops, which give the same bits everywhere. Disabled under sanitizers, whose run-time is not
// ready when the loader picks.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WARPSHOP_CLONES __attribute__((target_clones("arch=skylake-avx512", "avx2", "default")))
#else
#define WARPSHOP_CLONES
#endif
