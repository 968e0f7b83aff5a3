// Kernels that shared memory or the FP32 units bound: three of the capstone taken apart, and loops
// of one mixture each. Everything is extern "C" and takes (a, b, c, n), so that the same text goes
// through NVRTC for a prediction.
#define KERNEL(name, threads, blocks)                           \
  extern "C" __global__ void __launch_bounds__(threads, blocks) \
      name(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n)
#define FORCE __device__ __forceinline__

// ---- scores: what = bit 1 tile loads, 2 barriers, 4 exponentials, 8 products (else one addition
// per load)
template <int what>
FORCE void scores_of(const float* q, const float* k, float* out, int n) {
  constexpr int kDim = 64, kKeys = 32, kTogether = 8;
  __shared__ float4 ks[kKeys][kDim / 4];
  const int t = threadIdx.x, head = blockIdx.y * n * kDim / 4,
            mine = head + (blockIdx.x * 128 + t) * kDim / 4;
  const float4* keys = reinterpret_cast<const float4*>(k) + head;
  float4 query[kDim / 4];
#pragma unroll
  for (int d = 0; d < kDim / 4; ++d) query[d] = reinterpret_cast<const float4*>(q)[mine + d];
  float most = -3.4e38f, weight = 0.0f;
  if (!(what & 1)) {
    for (int i = t; i < kKeys * kDim / 4; i += 128) ks[i / 16][i % 16] = keys[i];
    __syncthreads();
  }
  for (int first = 0; first < n; first += kKeys) {
    if (what & 2) __syncthreads();
    if (what & 1) {
      for (int i = t; i < kKeys * kDim / 4; i += 128)
        ks[i / 16][i % 16] = keys[first * kDim / 4 + i];
    }
    if (what & 2) __syncthreads();
    for (int j = 0; j < kKeys; j += kTogether) {
      if (!(what & 2)) asm volatile("" ::: "memory");  // keeps the loads in the loop
      float score[kTogether] = {};
#pragma unroll
      for (int d = 0; d < kDim / 4; ++d) {
#pragma unroll
        for (int e = 0; e < kTogether; ++e) {
          float4 key;
          if (what & 8) {
            key = ks[j + e][d];
            score[e] +=
                query[d].x * key.x + query[d].y * key.y + query[d].z * key.z + query[d].w * key.w;
          } else {
            const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&ks[j + e][d]));
            asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(key.x), "=f"(key.y), "=f"(key.z), "=f"(key.w)
                         : "r"(at));
            score[e] += key.x;
          }
        }
      }
      if (what & 4) {
        float now = most;
#pragma unroll
        for (int e = 0; e < kTogether; ++e) now = fmaxf(now, 0.125f * score[e]);
        weight *= __expf(most - now);
        most = now;
#pragma unroll
        for (int e = 0; e < kTogether; ++e) weight += __expf(0.125f * score[e] - most);
      } else {
#pragma unroll
        for (int e = 0; e < kTogether; ++e) weight += score[e];
      }
    }
  }
  out[blockIdx.y * n + blockIdx.x * 128 + t] = most + weight;
}
#define SCORES(what) \
  KERNEL(scores_##what, 128, 1) { scores_of<what>(a, b, c, n); }
// clang-format off
SCORES(15) SCORES(14) SCORES(12) SCORES(11) SCORES(8) SCORES(10) SCORES(0) SCORES(2) SCORES(3);
// clang-format on

FORCE unsigned in_shared(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
FORCE float volatile_load(const float* p) {
  float v;
  asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(v) : "r"(in_shared(p)) : "memory");
  return v;
}

// ---- heat: what = bit 1 global loads, 2 global stores, 4 barriers, 8 shared stores, 16 shared
// loads of neighbours left and right, 32 loads above and below, 64 edge test
template <int what, int kSteps>
FORCE void heat_of(const float* in, float* out, int n) {
  __shared__ float cells[2][64][64];
  const int tx = threadIdx.x, ty = threadIdx.y * 8;
  const int x = blockIdx.x * 56 - 4 + tx, y = blockIdx.y * 56 - 4 + ty;
  float v[8];
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    if (what & 1)
      v[r] = x >= 0 && x < n && y + r >= 0 && y + r < n ? in[(y + r) * n + x] : 0.0f;
    else
      v[r] = float(x * r + y);
  }
  if (!(what & 8)) {
    for (int r = 0; r < 8; ++r) cells[0][ty + r][tx] = v[r], cells[1][ty + r][tx] = v[(r + 1) % 8];
    __syncthreads();
  }
  const int left = max(tx - 1, 0), right = min(tx + 1, 63), above = max(ty - 1, 0),
            below = min(ty + 8, 63);
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    float(*now)[64] = cells[step % 2];
    if (what & 8) {
#pragma unroll
      for (int r = 0; r < 8; ++r) {
        if (what & 48)
          now[ty + r][tx] = v[r];
        else
          asm volatile("st.volatile.shared.f32 [%0], %1;" ::"r"(in_shared(&now[ty + r][tx])),
                       "f"(v[r])
                       : "memory");
      }
    }
    if (what & 4)
      __syncthreads();
    else
      asm volatile("" ::: "memory");
    float last = !(what & 32)  ? v[3]
                 : !(what & 8) ? volatile_load(&now[above][tx])
                               : now[above][tx];
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      const float next = r < 7          ? v[r + 1]
                         : !(what & 32) ? v[5]
                         : !(what & 8)  ? volatile_load(&now[below][tx])
                                        : now[below][tx];
      const float l = !(what & 16)  ? v[(r + 2) % 8]
                      : !(what & 8) ? volatile_load(&now[ty + r][left])
                                    : now[ty + r][left],
                  g = !(what & 16)  ? v[(r + 5) % 8]
                      : !(what & 8) ? volatile_load(&now[ty + r][right])
                                    : now[ty + r][right];
      const float mean = 0.25f * (last + next + l + g);
      last = v[r];
      if (!(what & 64) || (x > 0 && x < n - 1 && y + r > 0 && y + r < n - 1)) v[r] = mean;
    }
  }
  if (what & 2) {
    if (tx >= 4 && tx < 64 - 4 && x < n) {
#pragma unroll
      for (int r = 0; r < 8; ++r) {
        if (ty + r >= 4 && ty + r < 64 - 4 && y + r < n) out[(y + r) * n + x] = v[r];
      }
    }
  } else {
    float sum = 0;
#pragma unroll
    for (int r = 0; r < 8; ++r) sum += v[r];
    if (sum == 12345.678f) out[0] = sum;
  }
}
#define HEAT(what, steps) \
  KERNEL(heat_##what##_##steps, 512, 1) { heat_of<what, steps>(a, c, n); }
// clang-format off
HEAT(127, 4) HEAT(127, 1) HEAT(127, 2) HEAT(127, 8) HEAT(127, 16) HEAT(126, 4) HEAT(125, 4)
HEAT(124, 4) HEAT(124, 16) HEAT(120, 4) HEAT(120, 16) HEAT(56, 16) HEAT(60, 16) HEAT(48, 16)
HEAT(16, 16) HEAT(8, 16) HEAT(12, 16) HEAT(4, 16) HEAT(0, 16) HEAT(64, 16) HEAT(3, 4) HEAT(67, 4)
HEAT(112, 16);
// clang-format on

// ---- product: what = bit 1 global loads in the loop, 2 shared stores, 4 barrier, 8 shared loads,
// 16 products (else one addition of each loaded word's first)
template <int what>
FORCE void product_of(const float* a, const float* b, float* c, int n) {
  constexpr int kDeep = 16;
  __shared__ __align__(16) float as[2][kDeep][132], bs[2][kDeep][128];
  const int t = threadIdx.x, left = blockIdx.x * 128, top = blockIdx.y * 128;
  const int row = t / 128 * 64 + t % 32 / 4 * 4, col = t / 32 % 4 * 32 + t % 4 * 4;
  const float4* from_a = reinterpret_cast<const float4*>(a + (top + t / 2) * n + t % 2 * 4);
  const float4* from_b = reinterpret_cast<const float4*>(b + t / 32 * n + left + t % 32 * 4);
  float4 u[2], v[2];
  float sum[8][8] = {}, of_a[2][8], of_b[2][8];
  for (int e = 0; e < 2; ++e) u[e] = from_a[2 * e], v[e] = from_b[e * 8 * n / 4];
  if (!(what & 8)) {
    for (int e = 0; e < 8; ++e)
      of_a[0][e] = of_a[1][e] = from_a[e].x, of_b[0][e] = of_b[1][e] = from_b[e].x;
  }
  if (!(what & 2)) {
    for (int i = t; i < kDeep * 132; i += 256) as[0][0][i] = as[1][0][i] = a[i];
    for (int i = t; i < kDeep * 128; i += 256) bs[0][0][i] = bs[1][0][i] = b[i];
    __syncthreads();
  }
  for (int first = 0, now = 0; first < n; first += kDeep, now = 1 - now) {
    if (what & 2) {
      for (int e = 0; e < 2; ++e) {
        const float turned[4] = {u[e].x, u[e].y, u[e].z, u[e].w};
        for (int i = 0; i < 4; ++i) as[now][8 * e + t % 2 * 4 + i][t / 2] = turned[i];
        *reinterpret_cast<float4*>(&bs[now][8 * e + t / 32][t % 32 * 4]) = v[e];
      }
    }
    if (what & 4)
      __syncthreads();
    else
      asm volatile("" ::: "memory");
    if ((what & 1) && first + kDeep < n) {
      for (int e = 0; e < 2; ++e) {
        u[e] = from_a[(first + kDeep) / 4 + 2 * e];
        v[e] = from_b[(first + kDeep + 8 * e) * n / 4];
      }
    }
#pragma unroll
    for (int k = -1; k < kDeep; ++k) {
      if (k + 1 < kDeep && (what & 8)) {
        const int next = (k + 1) % 2;
        *reinterpret_cast<float4*>(of_a[next]) = *reinterpret_cast<float4*>(&as[now][k + 1][row]);
        *reinterpret_cast<float4*>(of_a[next] + 4) =
            *reinterpret_cast<float4*>(&as[now][k + 1][row + 32]);
        *reinterpret_cast<float4*>(of_b[next]) = *reinterpret_cast<float4*>(&bs[now][k + 1][col]);
        *reinterpret_cast<float4*>(of_b[next] + 4) =
            *reinterpret_cast<float4*>(&bs[now][k + 1][col + 16]);
      }
      if (k < 0) continue;
      if (!(what & 8)) {
        for (int y = 0; y < 8; ++y) asm volatile("" : "+f"(of_a[k % 2][y]));
      }
      for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
          if (what & 16)
            sum[y][x] += of_a[k % 2][y] * of_b[k % 2][x];
          else if (x == y)
            sum[y][x] += of_a[k % 2][y] + of_b[k % 2][x];
        }
      }
    }
  }
  for (int y = 0; y < 8; ++y) {
    float* to = c + (top + row + y % 4 + y / 4 * 32) * n + left + col;
    *reinterpret_cast<float4*>(to) = make_float4(sum[y][0], sum[y][1], sum[y][2], sum[y][3]);
    *reinterpret_cast<float4*>(to + 16) = make_float4(sum[y][4], sum[y][5], sum[y][6], sum[y][7]);
  }
}
#define PRODUCT(what) \
  KERNEL(product_##what, 256, 2) { product_of<what>(a, b, c, n); }
// clang-format off
PRODUCT(31) PRODUCT(30) PRODUCT(28) PRODUCT(24) PRODUCT(16) PRODUCT(8) PRODUCT(12) PRODUCT(15)
PRODUCT(14);
// clang-format on

// ---- loops: eight loads of shared memory, then so many multiply-adds for each. kind: 0 16 bytes,
// one address; 1 16 bytes side by side; 2 words side by side; 3 a word, one address; 4 8 bytes side
// by side; 5 8 bytes, one address; 6 16 bytes: two addresses in turns of four lanes (as the
// product's)
template <int kind, int ffma>
FORCE void loads_of(const float* a, float* c, int n) {
  __shared__ float4 words[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = make_float4(a[i], 1, 2, 3);
  __syncthreads();
  const int lane = threadIdx.x % 32;
  const int bytes = kind == 1   ? lane * 16
                    : kind == 2 ? lane * 4
                    : kind == 4 ? lane * 8
                    : kind == 6 ? lane / 4 * 16
                                : 0;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(words)) + bytes;
  float acc[16];
  const float x = a[threadIdx.x], y = a[threadIdx.x + 512];
#pragma unroll
  for (int i = 0; i < 16; ++i) acc[i] = a[i];
  float v[8][4] = {};
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const unsigned from = at + j * 512;
      if (kind == 0 || kind == 1 || kind == 6) {
        asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v[j][0]), "=f"(v[j][1]), "=f"(v[j][2]), "=f"(v[j][3])
                     : "r"(from));
      } else if (kind == 4 || kind == 5) {
        asm volatile("ld.volatile.shared.v2.f32 {%0, %1}, [%2];"
                     : "=f"(v[j][0]), "=f"(v[j][1])
                     : "r"(from));
        v[j][2] = v[j][0], v[j][3] = v[j][1];
      } else {
        asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(v[j][0]) : "r"(from));
        v[j][1] = v[j][2] = v[j][3] = v[j][0];
      }
    }
#pragma unroll
    for (int j = 0; j < 8; ++j) {
#pragma unroll
      for (int f = 0; f < ffma; ++f) acc[(j * ffma + f) % 16] += v[j][f % 4] * (f % 8 < 4 ? x : y);
    }
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) sum += acc[i];
#pragma unroll
  for (int j = 0; j < 8; ++j)
    sum += v[j][0] + v[j][1] * x + v[j][2] * y +
           v[j][3];  // so that the loads stay as wide as they are
  if (sum == 12345.678f) c[0] = sum;
}
#define LOADS(kind, ffma) \
  KERNEL(loads_##kind##_##ffma, 1024, 1) { loads_of<kind, ffma>(a, c, n); }
#define LOADS_OF(kind) \
  LOADS(kind, 0)       \
  LOADS(kind, 1) LOADS(kind, 2) LOADS(kind, 4) LOADS(kind, 6) LOADS(kind, 8) LOADS(kind, 12)
// clang-format off
LOADS_OF(0) LOADS_OF(1) LOADS_OF(2) LOADS_OF(3) LOADS_OF(4) LOADS_OF(5) LOADS_OF(6);
// clang-format on

// ---- stores: eight stores, then so many loads of words. kind: 0 words side by side, 1 16 bytes
// side by side
template <int kind, int loads, bool barrier>
FORCE void stores_of(const float* a, float* c, int n) {
  __shared__ float4 words[2048];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32 % 8;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(words)) + warp * 4096 +
                      (kind == 1 ? lane * 16 : lane * 4);
  float v[8], w[8] = {};
#pragma unroll
  for (int j = 0; j < 8; ++j) v[j] = a[t + j];
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      if (kind == 1)
        asm volatile("st.volatile.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(at + j * 512),
                     "f"(v[j]), "f"(v[(j + 1) % 8]), "f"(v[(j + 2) % 8]), "f"(v[(j + 3) % 8])
                     : "memory");
      else
        asm volatile("st.volatile.shared.f32 [%0], %1;" ::"r"(at + j * 128), "f"(v[j]) : "memory");
    }
    if (barrier) __syncthreads();
#pragma unroll
    for (int j = 0; j < loads; ++j) {
      asm volatile("ld.volatile.shared.f32 %0, [%1];"
                   : "=f"(w[j % 8])
                   : "r"(at + j % 8 * 128)
                   : "memory");
      if (j >= 8) v[j % 8] += w[j % 8];
    }
  }
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 8; ++j) sum += v[j] + w[j];
  if (sum == 12345.678f) c[0] = sum;
}
#define STORES(kind, loads, barrier) \
  KERNEL(stores_##kind##_##loads##_##barrier, 1024, 1) { stores_of<kind, loads, barrier>(a, c, n); }
// clang-format off
STORES(0, 0, 0) STORES(0, 8, 0) STORES(0, 16, 0) STORES(0, 0, 1) STORES(0, 8, 1) STORES(0, 16, 1)
STORES(1, 0, 0) STORES(1, 8, 0);
// clang-format on

// ---- outer products from registers: rows x cols sums, no memory
template <int rows, int cols>
FORCE void outer_of(const float* a, float* c, int n) {
  float sum[rows][cols] = {}, u[rows], v[cols];
  for (int i = 0; i < rows; ++i) u[i] = a[threadIdx.x + i];
  for (int i = 0; i < cols; ++i) v[i] = a[threadIdx.x + 8 + i];
#pragma unroll 4
  for (int k = 0; k < n; ++k) {
#pragma unroll
    for (int y = 0; y < rows; ++y)
      asm volatile("" : "+f"(u[y]));  // another value each time, for all that the compiler knows
#pragma unroll
    for (int y = 0; y < rows; ++y) {
#pragma unroll
      for (int x = 0; x < cols; ++x) sum[y][x] += u[y] * v[x];
    }
  }
  float all = 0;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < cols; ++x) all += sum[y][x];
  }
  if (all == 12345.678f) c[0] = all;
}
#define OUTER(rows, cols) \
  KERNEL(outer_##rows##_##cols, 256, 2) { outer_of<rows, cols>(a, c, n); }
// clang-format off
OUTER(8, 8) OUTER(4, 8) OUTER(4, 4) OUTER(2, 8) OUTER(2, 4) OUTER(1, 8) OUTER(1, 16);
// clang-format on

// ---- arithmetic whose operand patterns differ: chains = independent sums; kind 0 fma(s, x, y) 1
// fma(x, y, s) 2 s + x 3 s * x 4 fma(s, s, x)
template <int kind, int chains>
FORCE void chain_of(const float* a, float* c, int n) {
  float s[chains];
  float x = a[threadIdx.x];
  const float y = a[threadIdx.x + 1];
#pragma unroll
  for (int i = 0; i < chains; ++i) s[i] = a[threadIdx.x + i + 2];
#pragma unroll 8
  for (int k = 0; k < n; ++k) {
    asm volatile("" : "+f"(x));
#pragma unroll
    for (int i = 0; i < chains; ++i)
      s[i] = kind == 0   ? fmaf(s[i], x, y)
             : kind == 1 ? fmaf(x, y, s[i])
             : kind == 2 ? s[i] + x
             : kind == 3 ? s[i] * x
                         : fmaf(s[i], s[i], x);
  }
  float all = 0;
#pragma unroll
  for (int i = 0; i < chains; ++i) all += s[i];
  if (all == 12345.678f) c[0] = all;
}
#define CHAIN(kind, chains) \
  KERNEL(chain_##kind##_##chains, 512, 1) { chain_of<kind, chains>(a, c, n); }
// clang-format off
CHAIN(0, 1) CHAIN(0, 4) CHAIN(0, 8) CHAIN(1, 4) CHAIN(1, 8) CHAIN(2, 4) CHAIN(2, 8) CHAIN(3, 8)
CHAIN(4, 8) CHAIN(4, 4);
// clang-format on
