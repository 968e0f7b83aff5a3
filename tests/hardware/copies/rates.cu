// Cycles of one SM for products on tensor cores, loads of fragments and asynchronous copies: one
// block, from the first warp's start to the last warp's end.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

typedef unsigned int Word;
typedef unsigned long long Long;
#define CHECK(x)                                                 \
  do {                                                           \
    cudaError_t e_ = (x);                                        \
    if (e_ != cudaSuccess) {                                     \
      printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); \
      exit(1);                                                   \
    }                                                            \
  } while (0)

struct Span {
  Long from, to;
};
__device__ __forceinline__ void note(Span* span, Long from, Long to) {
  if (blockIdx.x == 0 && threadIdx.x % 32 == 0) {
    atomicMin(&span->from, from);
    atomicMax(&span->to, to);
  }
}

#define LOOP(CHAINS, BODY)                                       \
  __syncthreads();                                               \
  const Long from = clock64();                                   \
  _Pragma("unroll 1") for (int r = 0; r < rounds; ++r) {         \
    _Pragma("unroll") for (int c = 0; c < CHAINS; ++c) { BODY; } \
  }                                                              \
  const Long to = clock64();                                     \
  note(span, from, to);

#define MMA(NAME, TYPE, NA, NB, NC, LIST, ...)                                          \
  template <int kChains>                                                                \
  __global__ void NAME(const TYPE* in, TYPE* out, int rounds, Span* span) {             \
    TYPE a[NA], b[NB], d[kChains][NC];                                                  \
    for (int i = 0; i < NA; ++i) a[i] = in[threadIdx.x + i * 32];                       \
    for (int i = 0; i < NB; ++i) b[i] = in[threadIdx.x + 256 + i * 32];                 \
    for (int c = 0; c < kChains; ++c)                                                   \
      for (int i = 0; i < NC; ++i) d[c][i] = in[threadIdx.x + 512 + (c * NC + i) * 32]; \
    LOOP(kChains, asm volatile("mma.sync.aligned." LIST : __VA_ARGS__))                 \
    TYPE sum = 0;                                                                       \
    for (int c = 0; c < kChains; ++c)                                                   \
      for (int i = 0; i < NC; ++i) sum += d[c][i];                                      \
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;                                   \
  }
// clang-format off
#define L424 " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
#define R424 "+r"(d[c][0]), "+r"(d[c][1]), "+r"(d[c][2]), "+r"(d[c][3]) \
    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])
#define L422 " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
#define R422 "+r"(d[c][0]), "+r"(d[c][1]) \
    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])
#define L214 " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
#define R214 "+r"(d[c][0]), "+r"(d[c][1]), "+r"(d[c][2]), "+r"(d[c][3]) \
    : "r"(a[0]), "r"(a[1]), "r"(b[0])
#define L212 " {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
#define R212 "+r"(d[c][0]), "+r"(d[c][1]) : "r"(a[0]), "r"(a[1]), "r"(b[0])
#define L112 " {%0,%1}, {%2}, {%3}, {%0,%1};"
#define R112 "+r"(d[c][0]), "+r"(d[c][1]) : "r"(a[0]), "r"(b[0])
#define D112 "+d"(d[c][0]), "+d"(d[c][1]) : "d"(a[0]), "d"(b[0])
#define D214 "+d"(d[c][0]), "+d"(d[c][1]), "+d"(d[c][2]), "+d"(d[c][3]) \
    : "d"(a[0]), "d"(a[1]), "d"(b[0])
#define D424 "+d"(d[c][0]), "+d"(d[c][1]), "+d"(d[c][2]), "+d"(d[c][3]) \
    : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1])
#define D844 "+d"(d[c][0]), "+d"(d[c][1]), "+d"(d[c][2]), "+d"(d[c][3]) \
    : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), \
      "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3])
#define L844 " {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%0,%1,%2,%3};"
// clang-format on
// name, element, registers of a, b, d, shape and types
#define ALL(X)                                                                           \
  X(f16_f32_16, Word, 4, 2, 4, "m16n8k16.row.col.f32.f16.f16.f32" L424, R424, 2048)      \
  X(f16_f16_16, Word, 4, 2, 2, "m16n8k16.row.col.f16.f16.f16.f16" L422, R422, 2048)      \
  X(f16_f32_8, Word, 2, 1, 4, "m16n8k8.row.col.f32.f16.f16.f32" L214, R214, 1024)        \
  X(f16_f16_8, Word, 2, 1, 2, "m16n8k8.row.col.f16.f16.f16.f16" L212, R212, 1024)        \
  X(bf16_f32_16, Word, 4, 2, 4, "m16n8k16.row.col.f32.bf16.bf16.f32" L424, R424, 2048)   \
  X(bf16_f32_8, Word, 2, 1, 4, "m16n8k8.row.col.f32.bf16.bf16.f32" L214, R214, 1024)     \
  X(tf32_8, Word, 4, 2, 4, "m16n8k8.row.col.f32.tf32.tf32.f32" L424, R424, 1024)         \
  X(tf32_4, Word, 2, 1, 4, "m16n8k4.row.col.f32.tf32.tf32.f32" L214, R214, 512)          \
  X(s8_32, Word, 4, 2, 4, "m16n8k32.row.col.s32.s8.s8.s32" L424, R424, 4096)             \
  X(s8_16, Word, 2, 1, 4, "m16n8k16.row.col.s32.s8.s8.s32" L214, R214, 2048)             \
  X(s8_8816, Word, 1, 1, 2, "m8n8k16.row.col.s32.s8.s8.s32" L112, R112, 1024)            \
  X(s4_64, Word, 4, 2, 4, "m16n8k64.row.col.s32.s4.s4.s32" L424, R424, 8192)             \
  X(s4_32, Word, 2, 1, 4, "m16n8k32.row.col.s32.s4.s4.s32" L214, R214, 4096)             \
  X(b1_256, Word, 4, 2, 4, "m16n8k256.row.col.s32.b1.b1.s32.and.popc" L424, R424, 32768) \
  X(e4m3_32, Word, 4, 2, 4, "m16n8k32.row.col.f32.e4m3.e4m3.f32" L424, R424, 4096)       \
  X(f64_884, double, 1, 1, 2, "m8n8k4.row.col.f64.f64.f64.f64" L112, D112, 256)          \
  X(f64_1684, double, 2, 1, 4, "m16n8k4.row.col.f64.f64.f64.f64" L214, D214, 512)        \
  X(f64_1688, double, 4, 2, 4, "m16n8k8.row.col.f64.f64.f64.f64" L424, D424, 1024)       \
  X(f64_16816, double, 8, 4, 4, "m16n8k16.row.col.f64.f64.f64.f64" L844, D844, 2048)
#define MAKE(NAME, TYPE, NA, NB, NC, LIST, REGS, PRODUCTS) MMA(NAME, TYPE, NA, NB, NC, LIST, REGS)
ALL(MAKE)

__device__ __forceinline__ Word shared_address(const void* p) {
  return static_cast<Word>(__cvta_generic_to_shared(p));
}
constexpr int kPool = 40960;
// kind: 1, 2, 4 matrices, 5: 4 transposed, 6: 16-byte loads; each load at another place
template <int kKind>
__global__ void fragments(Word* out, int rounds, int step, int zero, Span* span) {
  __shared__ __align__(16) char pool[kPool];
  for (int i = threadIdx.x * 4; i < kPool; i += blockDim.x * 4)
    *reinterpret_cast<Word*>(pool + i) = i * 77;
  Word at = shared_address(pool) + threadIdx.x % 32 * step, sum = 0;
  LOOP(8, {
    Word v[4] = {};
    const Word place = at + c * 4096;
    if (kKind == 1)
      asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                   : "=r"(v[0])
                   : "r"(place));
    if (kKind == 2)
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                   : "=r"(v[0]), "=r"(v[1])
                   : "r"(place));
    if (kKind == 4)
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                   : "r"(place));
    if (kKind == 5)
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                   : "r"(place));
    if (kKind == 6)
      asm volatile("ld.volatile.shared.v4.b32 {%0,%1,%2,%3}, [%4];"
                   : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                   : "r"(place));
    sum += v[0] ^ v[1] ^ v[2] ^ v[3];
    if (c == 7) at += zero;
  })
  out[threadIdx.x] = sum;
}
// One load after the other.
template <bool kMatrix>
__global__ void fragment_chain(Word* out, int rounds, Span* span) {
  __shared__ __align__(16) char pool[kPool];
  for (int i = threadIdx.x * 4; i < kPool; i += blockDim.x * 4)
    *reinterpret_cast<Word*>(pool + i) = 0;
  Word at = shared_address(pool) + threadIdx.x % 32 * 16;
  LOOP(8, {
    Word v;
    if (kMatrix)
      asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(v) : "r"(at));
    else
      asm volatile("ld.volatile.shared.b32 %0, [%1];" : "=r"(v) : "r"(at));
    at += v;
  })
  out[threadIdx.x] = at;
}

// Copies of 4, 8, 16 bytes per lane into shared memory; kGroup in flight per warp. kWay: 0
// cp.async.ca, 1 cp.async.cg (16 bytes), 2 load and store, 3 load with .cg and store. `span_bytes`:
// how much the block reads again and again.
template <int kWay, int kBytes, int kGroup>
__global__ void copies(const char* in, Word* out, int rounds, Word mask, Span* span) {
  __shared__ __align__(16) char pool[kPool];
  const Word base = shared_address(pool) + threadIdx.x * kBytes % 4096;
  Word at = threadIdx.x * kBytes;
  LOOP(1, {
#pragma unroll
    for (int g = 0; g < kGroup; ++g) {
      const char* source = in + (at & mask);
      const Word target = base + g % 8 * 4096;
      if (kWay == 0)
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(target), "l"(source),
                     "n"(kBytes)
                     : "memory");
      if (kWay == 1)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(source)
                     : "memory");
      at += blockDim.x * kBytes;
    }
    if (kWay < 2) {
      asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
    } else {
      Word v[kGroup][4];
#pragma unroll
      for (int g = 0; g < kGroup; ++g) {
        const char* source = in + ((at + (g - kGroup) * blockDim.x * kBytes) & mask);
        if (kWay == 2 && kBytes == 16)
          asm volatile("ld.volatile.global.v4.b32 {%0,%1,%2,%3}, [%4];"
                       : "=r"(v[g][0]), "=r"(v[g][1]), "=r"(v[g][2]), "=r"(v[g][3])
                       : "l"(source));
        if (kWay == 3 && kBytes == 16)
          asm volatile("ld.global.cg.v4.b32 {%0,%1,%2,%3}, [%4];"
                       : "=r"(v[g][0]), "=r"(v[g][1]), "=r"(v[g][2]), "=r"(v[g][3])
                       : "l"(source));
        if (kWay == 2 && kBytes == 4)
          asm volatile("ld.global.ca.b32 %0, [%1];" : "=r"(v[g][0]) : "l"(source));
      }
#pragma unroll
      for (int g = 0; g < kGroup; ++g) {
        const Word target = base + g % 8 * 4096;
        if (kBytes == 16)
          asm volatile("st.shared.v4.b32 [%4], {%0,%1,%2,%3};" ::"r"(v[g][0]), "r"(v[g][1]),
                       "r"(v[g][2]), "r"(v[g][3]), "r"(target)
                       : "memory");
        if (kBytes == 4)
          asm volatile("st.shared.b32 [%1], %0;" ::"r"(v[g][0]), "r"(target) : "memory");
      }
    }
  })
  out[threadIdx.x] = *reinterpret_cast<Word*>(pool + threadIdx.x * 4);
}

// One thread's bulk copies, one after the other, `kAtOnce` in flight; cycles of the three parts of
// a round, summed.
template <int kAtOnce, int kBytes>
__global__ void bulk(const char* in, Word* out, int rounds, Word mask, Span* span, Long* parts) {
  extern __shared__ __align__(128) char pool_bulk[];
  __shared__ Long full[16];
  if (threadIdx.x != 0) return;
  const Word pool = shared_address(pool_bulk), objects = shared_address(full);
  for (int i = 0; i < kAtOnce; ++i)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(objects + 8 * i) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  Word at = 0;
  const auto start = [&](int n) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(objects + 8 * n),
                 "r"(kBytes)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(pool + n * kBytes),
        "l"(in + at), "r"(kBytes), "r"(objects + 8 * n)
        : "memory");
    at = (at + kBytes) & mask;
  };
  const auto wait = [&](int n, int parity) {
    asm volatile(
        "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n@done "
        "bra over;\nbra again;\nover:\n}" ::"r"(objects + 8 * n),
        "r"(parity)
        : "memory");
  };
  Long starting = 0, waiting = 0;
  const Long from = clock64();
#pragma unroll 1
  for (int i = 0; i < kAtOnce; ++i) start(i);
  int parity = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; r += kAtOnce, parity ^= 1) {
#pragma unroll 1
    for (int n = 0; n < kAtOnce; ++n) {
      const Long a = clock64();
      wait(n, parity);
      const Long b = clock64();
      start(n);
      waiting += b - a;
      starting += clock64() - b;
    }
  }
  note(span, from, clock64());
  for (int n = 0; n < kAtOnce; ++n) wait(n, parity);
  parts[0] = waiting, parts[1] = starting;
  out[0] = *reinterpret_cast<Word*>(pool_bulk);
}
// An mbarrier that all warps arrive at and wait for, and __syncthreads for comparison: cycles per
// round.
template <bool kMbarrier>
__global__ void barriers(Word* out, int rounds, Span* span) {
  __shared__ Long full;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(&full)), "r"(blockDim.x)
                 : "memory");
  LOOP(1, {
    if (kMbarrier) {
      asm volatile(
          "{\n.reg .b64 s;\nmbarrier.arrive.shared.b64 s, [%0];\n}" ::"r"(shared_address(&full))
          : "memory");
      asm volatile(
          "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n@done "
          "bra over;\nbra again;\nover:\n}" ::"r"(shared_address(&full)),
          "r"(r % 2)
          : "memory");
    } else {
      __syncthreads();
    }
  })
  out[threadIdx.x] = static_cast<Word>(to - from);
}

Span* span;
char* in;
void* out;
template <typename F>
double cycles(F launch) {
  double best = 1e30;
  for (int i = 0; i < 4; ++i) {
    span->from = ~0ull, span->to = 0;
    CHECK(cudaDeviceSynchronize());
    launch();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    best = std::min(best, static_cast<double>(span->to - span->from));
  }
  return best;
}

int main() {
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  CHECK(cudaMallocManaged(&span, sizeof *span));
  CHECK(cudaMalloc(&in, 64 << 20));
  CHECK(cudaMemset(in, 0, 64 << 20));
  CHECK(cudaMalloc(&out, 1 << 20));
  printf(
      "# %s; cycles per instruction and sub-partition by warps of one SM, then multiply-adds per "
      "cycle and SM; latency: one warp, one chain\n",
      prop.name);
  const int R = 512;
#define LINE(NAME, TYPE, NA, NB, NC, LIST, REGS, PRODUCTS)                                     \
  {                                                                                            \
    printf("mma %-12s", #NAME);                                                                \
    double c = 0;                                                                              \
    for (int w : {1, 2, 4, 8, 12, 16}) {                                                       \
      c = cycles([&] { NAME<8><<<1, w * 32>>>((TYPE*)in, (TYPE*)out, R, span); }) / R / 8 /    \
          ((w + 3) / 4);                                                                       \
      printf(" %2d: %6.2f", w, c);                                                             \
    }                                                                                          \
    printf("  %7.0f", PRODUCTS / c * 4);                                                       \
    const double l1 = cycles([&] { NAME<1><<<1, 32>>>((TYPE*)in, (TYPE*)out, R, span); }) / R; \
    const double l2 = cycles([&] { NAME<2><<<1, 32>>>((TYPE*)in, (TYPE*)out, R, span); }) / R; \
    const double l4 = cycles([&] { NAME<4><<<1, 32>>>((TYPE*)in, (TYPE*)out, R, span); }) / R; \
    printf("  chain %6.2f, two %6.2f, four %6.2f\n", l1, l2, l4);                              \
  }
  ALL(LINE)

  const auto f = [&](auto kernel, const char* name, int step) {
    printf("%-22s step %3d, cycles per instruction and SM:", name, step);
    for (int w : {1, 2, 4, 8, 16})
      printf("  %2d: %6.2f", w,
             cycles([&] { kernel<<<1, w * 32>>>((Word*)out, R, step, 0, span); }) / R / 8 / w);
    printf("\n");
  };
  for (int step : {16, 32, 64, 80, 128}) {
    f(fragments<1>, "ldmatrix.x1", step);
    f(fragments<2>, "ldmatrix.x2", step);
    f(fragments<4>, "ldmatrix.x4", step);
    f(fragments<5>, "ldmatrix.x4.trans", step);
    f(fragments<6>, "ld.shared.v4", step);
  }
  printf("latency of ldmatrix.x1 + add %.2f, of ld.shared + add %.2f\n",
         cycles([&] { fragment_chain<true><<<1, 32>>>((Word*)out, R, span); }) / R / 8,
         cycles([&] { fragment_chain<false><<<1, 32>>>((Word*)out, R, span); }) / R / 8);

  const auto g = [&](auto kernel, const char* name, int group) {
    for (Word bytes : {16384u, 16777216u}) {
      printf("%-34s from %s, cycles per warp's copy and SM:", name, bytes < 100000 ? "L1" : "L2");
      for (int w : {1, 2, 4, 8, 16})
        printf("  %2d: %7.2f", w,
               cycles([&] { kernel<<<1, w * 32>>>(in, (Word*)out, R, bytes - 1, span); }) / R /
                   group / w);
      printf("\n");
    }
  };
  g(copies<0, 4, 1>, "cp.async.ca 4, wait each", 1);
  g(copies<0, 16, 1>, "cp.async.ca 16, wait each", 1);
  g(copies<1, 16, 1>, "cp.async.cg 16, wait each", 1);
  g(copies<2, 4, 1>, "ld.ca 4, st.shared", 1);
  g(copies<2, 16, 1>, "ld 16, st.shared", 1);
  g(copies<3, 16, 1>, "ld.cg 16, st.shared", 1);
  g(copies<0, 4, 8>, "cp.async.ca 4, groups of 8", 8);
  g(copies<0, 8, 8>, "cp.async.ca 8, groups of 8", 8);
  g(copies<0, 16, 8>, "cp.async.ca 16, groups of 8", 8);
  g(copies<1, 16, 8>, "cp.async.cg 16, groups of 8", 8);
  g(copies<2, 4, 8>, "ld.ca 4, st.shared, by 8", 8);
  g(copies<2, 16, 8>, "ld 16, st.shared, by 8", 8);
  g(copies<3, 16, 8>, "ld.cg 16, st.shared, by 8", 8);
  Long* parts;
  CHECK(cudaMallocManaged(&parts, 16));
  const auto b = [&](auto kernel, int bytes, int at_once) {
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 140000));
    const double c =
        cycles([&] { kernel<<<1, 32, 140000>>>(in, (Word*)out, R, (16 << 20) - 1, span, parts); }) /
        R;
    printf(
        "cp.async.bulk of %5d bytes from L2, %d at once: %7.1f cycles per copy, wait %6.1f, start "
        "%6.1f\n",
        bytes, at_once, c, double(parts[0]) / R, double(parts[1]) / R);
  };
  b(bulk<1, 16>, 16, 1), b(bulk<2, 16>, 16, 2), b(bulk<4, 16>, 16, 4), b(bulk<8, 16>, 16, 8);
  b(bulk<1, 512>, 512, 1), b(bulk<4, 512>, 512, 4), b(bulk<8, 512>, 512, 8);
  b(bulk<1, 2048>, 2048, 1), b(bulk<2, 2048>, 2048, 2), b(bulk<4, 2048>, 2048, 4),
      b(bulk<8, 2048>, 2048, 8);
  b(bulk<1, 4096>, 4096, 1), b(bulk<2, 4096>, 4096, 2), b(bulk<4, 4096>, 4096, 4),
      b(bulk<8, 4096>, 4096, 8);
  b(bulk<1, 16384>, 16384, 1), b(bulk<2, 16384>, 16384, 2), b(bulk<4, 16384>, 16384, 4),
      b(bulk<8, 16384>, 16384, 8);
  for (int w : {1, 4, 8, 16, 32}) {
    printf("barrier of %2d warps: mbarrier %.1f, __syncthreads %.1f\n", w,
           cycles([&] { barriers<true><<<1, w * 32>>>((Word*)out, R, span); }) / R,
           cycles([&] { barriers<false><<<1, w * 32>>>((Word*)out, R, span); }) / R);
  }
}
