// Copies into shared memory, by registers, cp.async and cp.async.bulk, and matrix products with
// mma.sync: kernels that the timing model was checked with.
typedef unsigned int Word;
typedef unsigned long long Long;

// ---- Copies ----

__device__ __forceinline__ Word shared_address(const void* p) {
  return static_cast<Word>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void copy16(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from)
               : "memory");
}
__device__ __forceinline__ void copy8(void* to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(shared_address(to)), "l"(from)
               : "memory");
}
__device__ __forceinline__ void copy4(void* to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(to)), "l"(from)
               : "memory");
}
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kLeft>
__device__ __forceinline__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}
__device__ __forceinline__ void wait_all() { asm volatile("cp.async.wait_all;" ::: "memory"); }

__device__ __forceinline__ void barrier_init(Long* barrier, int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count)
               : "memory");
}
__device__ __forceinline__ void barrier_wait(Long* barrier, int parity) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n@done bra "
      "over;\nbra again;\nover:\n}" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}
__device__ __forceinline__ void bulk_copy(void* to, const void* from, Word bytes, Long* barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

// What a tile's value costs: kWork multiply-adds.
template <int kWork>
__device__ __forceinline__ float worked(float4 v) {
#pragma unroll
  for (int i = 0; i < kWork / 4; ++i) {
    v.x = v.x * 0.99f + v.y;
    v.y = v.y * 0.98f + v.z;
    v.z = v.z * 0.97f + v.w;
    v.w = v.w * 0.96f + v.x;
  }
  return v.x + v.y + v.z + v.w;
}

// Tiles of 16 bytes per thread, one after the other; `mask` confines them to the first tiles.
#define FOR_TILES for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)

template <int kThreads, int kWork>
__device__ __forceinline__ void by_registers(const float4* in, float* out, int tiles, int mask) {
  __shared__ float4 s[kThreads];
  const int t = threadIdx.x;
  float sum = 0;
  FOR_TILES {
    s[t] = in[(tile & mask) * kThreads + t];
    __syncthreads();
    sum += worked<kWork>(s[kThreads - 1 - t]);
    __syncthreads();
  }
  out[blockIdx.x * kThreads + t] = sum;
}

template <int kThreads, int kWork>
__device__ __forceinline__ void by_prefetch(const float4* in, float* out, int tiles, int mask) {
  __shared__ float4 s[2][kThreads];
  const int t = threadIdx.x;
  float sum = 0;
  float4 next = in[(blockIdx.x & mask) * kThreads + t];
  int slot = 0;
  FOR_TILES {
    s[slot][t] = next;
    __syncthreads();
    const int after = tile + gridDim.x;
    if (after < tiles) next = in[(after & mask) * kThreads + t];
    sum += worked<kWork>(s[slot][kThreads - 1 - t]);
    slot ^= 1;
  }
  out[blockIdx.x * kThreads + t] = sum;
}

template <int kStages, int kThreads, int kWork, int kBytes = 16>
__device__ __forceinline__ void by_cp_async(const float4* in, float* out, int tiles, int mask) {
  __shared__ float4 s[kStages][kThreads];
  const int t = threadIdx.x;
  float sum = 0;
  const auto start = [&](int tile, int slot) {
    if (tile < tiles) {
      const float4* from = in + (tile & mask) * kThreads;
      if constexpr (kBytes == 16) {
        copy16(&s[slot][t], from + t);
      } else if constexpr (kBytes == 8) {
        for (int i = 0; i < 2; ++i)
          copy8(reinterpret_cast<float2*>(s[slot]) + i * kThreads + t,
                reinterpret_cast<const float2*>(from) + i * kThreads + t);
      } else {
        for (int i = 0; i < 4; ++i)
          copy4(reinterpret_cast<float*>(s[slot]) + i * kThreads + t,
                reinterpret_cast<const float*>(from) + i * kThreads + t);
      }
    }
    commit();
  };
  for (int i = 0; i < kStages - 1; ++i) start(blockIdx.x + i * gridDim.x, i);
  int slot = 0;
  FOR_TILES {
    start(tile + (kStages - 1) * gridDim.x, (slot + kStages - 1) % kStages);
    wait<kStages - 1>();
    __syncthreads();
    sum += worked<kWork>(s[slot][kThreads - 1 - t]);
    __syncthreads();
    slot = slot + 1 == kStages ? 0 : slot + 1;
  }
  out[blockIdx.x * kThreads + t] = sum;
}

// As above, but the copies arrive at barriers.
template <int kStages, int kThreads, int kWork>
__device__ __forceinline__ void by_arrival(const float4* in, float* out, int tiles, int mask) {
  __shared__ float4 s[kStages][kThreads];
  __shared__ Long full[kStages];
  const int t = threadIdx.x;
  if (t < kStages) barrier_init(&full[t], kThreads);
  __syncthreads();
  float sum = 0;
  const auto start = [&](int tile, int slot) {
    if (tile >= tiles) return;
    copy16(&s[slot][t], in + (tile & mask) * kThreads + t);
    asm volatile(
        "cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(&full[slot]))
        : "memory");
  };
  for (int i = 0; i < kStages - 1; ++i) start(blockIdx.x + i * gridDim.x, i);
  int slot = 0, parity = 0;
  FOR_TILES {
    start(tile + (kStages - 1) * gridDim.x, (slot + kStages - 1) % kStages);
    barrier_wait(&full[slot], parity);
    sum += worked<kWork>(s[slot][kThreads - 1 - t]);
    __syncthreads();
    if (++slot == kStages) slot = 0, parity ^= 1;
  }
  out[blockIdx.x * kThreads + t] = sum;
}

// One thread copies a whole tile.
template <int kStages, int kThreads, int kWork>
__device__ __forceinline__ void by_bulk(const float4* in, float* out, int tiles, int mask) {
  __shared__ alignas(128) float4 s[kStages][kThreads];
  __shared__ Long full[kStages];
  const int t = threadIdx.x;
  if (t < kStages) barrier_init(&full[t], 1);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float sum = 0;
  const auto start = [&](int tile, int slot) {
    if (t == 0 && tile < tiles)
      bulk_copy(s[slot], in + (tile & mask) * kThreads, sizeof s[slot], &full[slot]);
  };
  for (int i = 0; i < kStages - 1; ++i) start(blockIdx.x + i * gridDim.x, i);
  int slot = 0, parity = 0;
  FOR_TILES {
    start(tile + (kStages - 1) * gridDim.x, (slot + kStages - 1) % kStages);
    barrier_wait(&full[slot], parity);
    sum += worked<kWork>(s[slot][kThreads - 1 - t]);
    __syncthreads();
    if (++slot == kStages) slot = 0, parity ^= 1;
  }
  out[blockIdx.x * kThreads + t] = sum;
}

#define STREAM(NAME, ...)                                                              \
  extern "C" __global__ void NAME(const float4* in, float* out, int tiles, int mask) { \
    __VA_ARGS__(in, out, tiles, mask);                                                 \
  }
STREAM(k_registers, by_registers<256, 0>)
STREAM(k_registers_128, by_registers<128, 0>)
STREAM(k_registers_work, by_registers<256, 256>)
STREAM(k_prefetch, by_prefetch<256, 0>)
STREAM(k_prefetch_128, by_prefetch<128, 0>)
STREAM(k_prefetch_work, by_prefetch<256, 256>)
STREAM(k_async_1, by_cp_async<1, 256, 0>)
STREAM(k_async_2, by_cp_async<2, 256, 0>)
STREAM(k_async_4, by_cp_async<4, 256, 0>)
STREAM(k_async_8, by_cp_async<8, 256, 0>)
STREAM(k_async_128_1, by_cp_async<1, 128, 0>)
STREAM(k_async_128_2, by_cp_async<2, 128, 0>)
STREAM(k_async_128_4, by_cp_async<4, 128, 0>)
STREAM(k_async_128_8, by_cp_async<8, 128, 0>)
STREAM(k_async_work_1, by_cp_async<1, 256, 256>)
STREAM(k_async_work_2, by_cp_async<2, 256, 256>)
STREAM(k_async_work_4, by_cp_async<4, 256, 256>)
STREAM(k_async_4b_2, by_cp_async<2, 256, 0, 4>)
STREAM(k_async_4b_4, by_cp_async<4, 256, 0, 4>)
STREAM(k_async_8b_2, by_cp_async<2, 256, 0, 8>)
STREAM(k_arrival_2, by_arrival<2, 256, 0>)
STREAM(k_arrival_4, by_arrival<4, 256, 0>)
STREAM(k_bulk_1, by_bulk<1, 256, 0>)
STREAM(k_bulk_2, by_bulk<2, 256, 0>)
STREAM(k_bulk_4, by_bulk<4, 256, 0>)
STREAM(k_bulk_8, by_bulk<8, 256, 0>)
STREAM(k_bulk_work_2, by_bulk<2, 256, 256>)

// cp.async without a wait: the kernel ends with its copies in flight.
extern "C" __global__ void k_async_forgotten(const float4* in, float* out, int tiles, int mask) {
  __shared__ float4 s[256];
  FOR_TILES copy16(&s[threadIdx.x], in + (tile & mask) * 256 + threadIdx.x);
  wait_all();
  out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x].x;
}

// ---- Products of float matrices: 64 × 64 tiles, slices of 16 ----

enum { kStore, kPrefetch, kAsync };
template <int kHow, int kStages>
__device__ __forceinline__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ alignas(16) float sa[kStages][64][20], sb[kStages][16][64];
  const int t = threadIdx.x, row = blockIdx.y * 64, column = blockIdx.x * 64, ar = t / 4,
            aq = t % 4 * 4, br = t / 16, bq = t % 16 * 4;
  const int tx = t % 16 * 4, ty = t / 16 * 4;
  float sum[4][4] = {};
  const float *pa = a + (row + ar) * n + aq, *pb = b + br * n + column + bq;
  const auto multiply = [&](int slot) {
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      float x[4];
      for (int i = 0; i < 4; ++i) x[i] = sa[slot][ty + i][k];
      const float4 y = *reinterpret_cast<const float4*>(&sb[slot][k][tx]);
      for (int i = 0; i < 4; ++i)
        sum[i][0] += x[i] * y.x, sum[i][1] += x[i] * y.y, sum[i][2] += x[i] * y.z,
            sum[i][3] += x[i] * y.w;
    }
  };
  if constexpr (kHow == kStore) {
    for (int k = 0; k < n; k += 16) {
      *reinterpret_cast<float4*>(&sa[0][ar][aq]) = *reinterpret_cast<const float4*>(pa + k);
      *reinterpret_cast<float4*>(&sb[0][br][bq]) = *reinterpret_cast<const float4*>(pb + k * n);
      __syncthreads();
      multiply(0);
      __syncthreads();
    }
  } else if constexpr (kHow == kPrefetch) {
    float4 x = *reinterpret_cast<const float4*>(pa), y = *reinterpret_cast<const float4*>(pb);
    for (int k = 0, slot = 0; k < n; k += 16, slot ^= 1) {
      *reinterpret_cast<float4*>(&sa[slot][ar][aq]) = x;
      *reinterpret_cast<float4*>(&sb[slot][br][bq]) = y;
      __syncthreads();
      if (k + 16 < n) {
        x = *reinterpret_cast<const float4*>(pa + k + 16);
        y = *reinterpret_cast<const float4*>(pb + (k + 16) * n);
      }
      multiply(slot);
    }
  } else {
    const auto start = [&](int k, int slot) {
      if (k < n) {
        copy16(&sa[slot][ar][aq], pa + k);
        copy16(&sb[slot][br][bq], pb + k * n);
      }
      commit();
    };
    for (int i = 0; i < kStages - 1; ++i) start(i * 16, i);
    for (int k = 0, slot = 0; k < n; k += 16) {
      wait<kStages - 2>();
      __syncthreads();
      start(k + (kStages - 1) * 16, (slot + kStages - 1) % kStages);
      multiply(slot);
      slot = slot + 1 == kStages ? 0 : slot + 1;
    }
  }
  for (int i = 0; i < 4; ++i)
    *reinterpret_cast<float4*>(c + (row + ty + i) * n + column + tx) =
        make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}
#define PRODUCT(NAME, ...)                                                           \
  extern "C" __global__ void NAME(const float* a, const float* b, float* c, int n) { \
    __VA_ARGS__(a, b, c, n);                                                         \
  }
PRODUCT(k_product_store, product<kStore, 1>)
PRODUCT(k_product_prefetch, product<kPrefetch, 2>)
PRODUCT(k_product_async_2, product<kAsync, 2>)
PRODUCT(k_product_async_3, product<kAsync, 3>)
PRODUCT(k_product_async_4, product<kAsync, 4>)

// ---- Products of half matrices on tensor cores: ldmatrix and mma.sync ----

__device__ __forceinline__ void load_matrix(Word (&v)[4], const void* from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
               : "r"(shared_address(from)));
}
__device__ __forceinline__ void load_transposed(Word (&v)[4], const void* from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
               : "r"(shared_address(from)));
}
__device__ __forceinline__ void multiply_add(float (&d)[4], const Word (&a)[4], Word b0, Word b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// kWarpsX × kWarpsY warps, each 32 × 32 (kRows = 2) or 64 × 32 (kRows = 4) of c.
typedef unsigned short Half;
template <int kHow, int kStages, int kWarpsX, int kWarpsY, int kRows, int kPad>
__device__ __forceinline__ void tensor_product(const Half* a, const Half* b, float* c, int n) {
  constexpr int kM = kWarpsY * kRows * 16, kN = kWarpsX * 32, kThreads = kWarpsX * kWarpsY * 32;
  __shared__ alignas(16) Half sa[kStages][kM][32 + kPad], sb[kStages][32][kN + kPad];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, row = blockIdx.y * kM,
            column = blockIdx.x * kN;
  const int wy = warp / kWarpsX * kRows * 16, wx = warp % kWarpsX * 32;
  float sum[kRows][4][4] = {};
  constexpr int kA = kM * 4 / kThreads, kB = kN * 4 / kThreads;  // 16-byte pieces per thread
  const auto a_from = [&](int i, int k) {
    return a + (row + (t + i * kThreads) / 4) * n + k + (t + i * kThreads) % 4 * 8;
  };
  const auto a_to = [&](int i, int slot) {
    return &sa[slot][(t + i * kThreads) / 4][(t + i * kThreads) % 4 * 8];
  };
  const auto b_from = [&](int i, int k) {
    return b + (k + (t + i * kThreads) / (kN / 8)) * n + column + (t + i * kThreads) % (kN / 8) * 8;
  };
  const auto b_to = [&](int i, int slot) {
    return &sb[slot][(t + i * kThreads) / (kN / 8)][(t + i * kThreads) % (kN / 8) * 8];
  };
  const auto multiply = [&](int slot) {
#pragma unroll
    for (int k = 0; k < 32; k += 16) {
      Word x[kRows][4], y[2][4];
      for (int i = 0; i < kRows; ++i)
        load_matrix(x[i], &sa[slot][wy + i * 16 + lane % 16][k + lane / 16 * 8]);
      for (int j = 0; j < 2; ++j)
        load_transposed(y[j], &sb[slot][k + lane % 16][wx + j * 16 + lane / 16 * 8]);
      for (int i = 0; i < kRows; ++i)
        for (int j = 0; j < 4; ++j)
          multiply_add(sum[i][j], x[i], y[j / 2][j % 2 * 2], y[j / 2][j % 2 * 2 + 1]);
    }
  };
  if constexpr (kHow == kStore) {
    for (int k = 0; k < n; k += 32) {
      for (int i = 0; i < kA; ++i)
        *reinterpret_cast<uint4*>(a_to(i, 0)) = *reinterpret_cast<const uint4*>(a_from(i, k));
      for (int i = 0; i < kB; ++i)
        *reinterpret_cast<uint4*>(b_to(i, 0)) = *reinterpret_cast<const uint4*>(b_from(i, k));
      __syncthreads();
      multiply(0);
      __syncthreads();
    }
  } else if constexpr (kHow == kPrefetch) {
    uint4 x[kA], y[kB];
    for (int i = 0; i < kA; ++i) x[i] = *reinterpret_cast<const uint4*>(a_from(i, 0));
    for (int i = 0; i < kB; ++i) y[i] = *reinterpret_cast<const uint4*>(b_from(i, 0));
    for (int k = 0, slot = 0; k < n; k += 32, slot ^= 1) {
      for (int i = 0; i < kA; ++i) *reinterpret_cast<uint4*>(a_to(i, slot)) = x[i];
      for (int i = 0; i < kB; ++i) *reinterpret_cast<uint4*>(b_to(i, slot)) = y[i];
      __syncthreads();
      if (k + 32 < n) {
        for (int i = 0; i < kA; ++i) x[i] = *reinterpret_cast<const uint4*>(a_from(i, k + 32));
        for (int i = 0; i < kB; ++i) y[i] = *reinterpret_cast<const uint4*>(b_from(i, k + 32));
      }
      multiply(slot);
    }
  } else {
    const auto start = [&](int k, int slot) {
      if (k < n) {
        for (int i = 0; i < kA; ++i) copy16(a_to(i, slot), a_from(i, k));
        for (int i = 0; i < kB; ++i) copy16(b_to(i, slot), b_from(i, k));
      }
      commit();
    };
    for (int i = 0; i < kStages - 1; ++i) start(i * 32, i);
    for (int k = 0, slot = 0; k < n; k += 32) {
      wait<kStages - 2>();
      __syncthreads();
      start(k + (kStages - 1) * 32, (slot + kStages - 1) % kStages);
      multiply(slot);
      slot = slot + 1 == kStages ? 0 : slot + 1;
    }
  }
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < 4; ++j)
      for (int h = 0; h < 2; ++h)
        *reinterpret_cast<float2*>(c + (row + wy + i * 16 + h * 8 + lane / 4) * n + column + wx +
                                   j * 8 + lane % 4 * 2) =
            make_float2(sum[i][j][2 * h], sum[i][j][2 * h + 1]);
}
#define TENSOR(NAME, ...)                                                          \
  extern "C" __global__ void NAME(const Half* a, const Half* b, float* c, int n) { \
    __VA_ARGS__(a, b, c, n);                                                       \
  }
TENSOR(k_tensor_64_store, tensor_product<kStore, 1, 2, 2, 2, 8>)
TENSOR(k_tensor_64_prefetch, tensor_product<kPrefetch, 2, 2, 2, 2, 8>)
TENSOR(k_tensor_64_async_2, tensor_product<kAsync, 2, 2, 2, 2, 8>)
TENSOR(k_tensor_64_async_4, tensor_product<kAsync, 4, 2, 2, 2, 8>)
TENSOR(k_tensor_64_unpadded, tensor_product<kAsync, 4, 2, 2, 2, 0>)
TENSOR(k_tensor_128_store, tensor_product<kStore, 1, 4, 2, 4, 8>)
TENSOR(k_tensor_128_prefetch, tensor_product<kPrefetch, 2, 4, 2, 4, 8>)
TENSOR(k_tensor_128_async_2, tensor_product<kAsync, 2, 4, 2, 4, 8>)

// ---- Rates: products alone, from registers ----

#define RATE(NAME, CHAINS, NA, NB, NC, TEXT)                                            \
  extern "C" __global__ void NAME(const Word* in, Word* out, int rounds) {              \
    Word a[NA], b[NB], d[CHAINS][NC];                                                   \
    for (int i = 0; i < NA; ++i) a[i] = in[threadIdx.x + i * 32];                       \
    for (int i = 0; i < NB; ++i) b[i] = in[threadIdx.x + 256 + i * 32];                 \
    for (int c = 0; c < CHAINS; ++c)                                                    \
      for (int i = 0; i < NC; ++i) d[c][i] = in[threadIdx.x + 512 + (c * NC + i) * 32]; \
    _Pragma("unroll 1") for (int r = 0; r < rounds; ++r) {                              \
      _Pragma("unroll") for (int c = 0; c < CHAINS; ++c) TEXT;                          \
    }                                                                                   \
    Word sum = 0;                                                                       \
    for (int c = 0; c < CHAINS; ++c)                                                    \
      for (int i = 0; i < NC; ++i) sum ^= d[c][i];                                      \
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;                                   \
  }
#define MMA_424(TYPE)                                                                            \
  asm volatile("mma.sync.aligned." TYPE " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
               : "+r"(d[c][0]), "+r"(d[c][1]), "+r"(d[c][2]), "+r"(d[c][3])                      \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define MMA_422(TYPE)                                                                \
  asm volatile("mma.sync.aligned." TYPE " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};" \
               : "+r"(d[c][0]), "+r"(d[c][1])                                        \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define MMA_214(TYPE)                                                                   \
  asm volatile("mma.sync.aligned." TYPE " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" \
               : "+r"(d[c][0]), "+r"(d[c][1]), "+r"(d[c][2]), "+r"(d[c][3])             \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]))
RATE(k_rate_f16_f32, 8, 4, 2, 4, MMA_424("m16n8k16.row.col.f32.f16.f16.f32"))
RATE(k_rate_f16_f16, 8, 4, 2, 2, MMA_422("m16n8k16.row.col.f16.f16.f16.f16"))
RATE(k_rate_bf16_f32, 8, 4, 2, 4, MMA_424("m16n8k16.row.col.f32.bf16.bf16.f32"))
RATE(k_rate_f16_k8, 8, 2, 1, 4, MMA_214("m16n8k8.row.col.f32.f16.f16.f32"))
RATE(k_rate_tf32, 8, 4, 2, 4, MMA_424("m16n8k8.row.col.f32.tf32.tf32.f32"))
RATE(k_rate_s8, 8, 4, 2, 4, MMA_424("m16n8k32.row.col.s32.s8.s8.s32"))
RATE(k_rate_e4m3, 8, 4, 2, 4, MMA_424("m16n8k32.row.col.f32.e4m3.e4m3.f32"))
RATE(k_latency_f16_f32, 1, 4, 2, 4, MMA_424("m16n8k16.row.col.f32.f16.f16.f32"))
RATE(k_latency_s8, 1, 4, 2, 4, MMA_424("m16n8k32.row.col.s32.s8.s8.s32"))

extern "C" __global__ void k_rate_f64(const double* in, double* out, int rounds) {
  double a = in[threadIdx.x], b = in[threadIdx.x + 32], d[8][2];
  for (int c = 0; c < 8; ++c)
    for (int i = 0; i < 2; ++i) d[c][i] = in[threadIdx.x + 64 + (c * 2 + i) * 32];
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int c = 0; c < 8; ++c)
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                   : "+d"(d[c][0]), "+d"(d[c][1])
                   : "d"(a), "d"(b));
  }
  double sum = 0;
  for (int c = 0; c < 8; ++c) sum += d[c][0] + d[c][1];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Loads of fragments from shared memory alone: rows `step` bytes apart.
extern "C" __global__ void k_ldmatrix(Word* out, int step, int rounds) {
  __shared__ alignas(16) char pool[32 * 160 + 4096];
  for (int i = threadIdx.x * 4; i < 32 * 160 + 4096; i += blockDim.x * 4)
    *reinterpret_cast<Word*>(pool + i) = i * 77;
  __syncthreads();
  Word sum = 0;
  const char* from = pool + threadIdx.x % 32 * step;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      Word v[4];
      load_matrix(v, from + i * 512);
      sum += v[0] ^ v[1] ^ v[2] ^ v[3];
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
