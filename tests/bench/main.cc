// Defines main() for the benchmarks, because the system's libbenchmark_main may be compiled for
// link-time optimisation by another compiler (Ubuntu 22.04).
#include <benchmark/benchmark.h>

BENCHMARK_MAIN();
