// One source, a clone for each vector width of the host; the loader picks. For integer loops only, which give the
// same bits everywhere.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define WARPSHOP_CLONES __attribute__((target_clones("arch=skylake-avx512", "avx2", "default")))
#else
#define WARPSHOP_CLONES
#endif
