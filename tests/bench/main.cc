// The system's libbenchmark_main may be compiled for link-time optimisation by another compiler
// (Ubuntu 22.04), so the benchmarks have their own main().
#include <benchmark/benchmark.h>

BENCHMARK_MAIN();
