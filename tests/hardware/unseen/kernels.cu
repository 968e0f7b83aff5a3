// Kernels of kinds that the timing model was not made with: threads of unequal work, double
// precision with roots and divisions, contended compare-and-swap, recursion, one-block sorts,
// streams of several inputs, stencils, attention, sparse rows. N, M and Element come from options.
#include <cuda_fp16.h>
#ifndef N
#define N 64
#endif
#ifndef M
#define M 8
#endif
#ifndef KEYS
#define KEYS 1024
#endif
#ifndef Element
#define Element float
#endif

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

__device__ inline unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  return x ^ x >> 16;
}

// ── streams ──────────────────────────────────────────────────────────────────────────────────────

extern "C" __global__ void k_add2(const Element* a, const Element* b, Element* c, int n) {
  int i = INDEX;
  if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void k_triad(const Element* a, const Element* b, Element* c, int n) {
  for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + Element(3) * b[i];
}

extern "C" __global__ void k_blend3(const Element* a, const Element* b, const Element* mask,
                                    Element* out, int n) {
  int i = INDEX;
  if (i < n) out[i] = a[i] + mask[i] * (b[i] - a[i]);
}

extern "C" __global__ void k_update(Element* x, const Element* gradient, Element* moment, int n) {
  int i = INDEX;
  if (i >= n) return;
  Element m = Element(0.9) * moment[i] + gradient[i];
  moment[i] = m;
  x[i] -= Element(0.01) * m;
}

// Reads only: the sum is stored if it is a value that it never is.
extern "C" __global__ void k_read(const Element* a, Element* out, int n) {
  Element sum = 0;
  for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) sum += a[i];
  if (sum == Element(-12345)) out[0] = sum;
}

extern "C" __global__ void k_write(Element* out, int n) {
  for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) out[i] = Element(1);
}

// ── reductions and scans ─────────────────────────────────────────────────────────────────────────

__device__ inline float warp_total(float x) {
  for (int d = 16; d > 0; d >>= 1) x += __shfl_xor_sync(~0u, x, d);
  return x;
}

extern "C" __global__ void k_sum_atomic(const float* in, float* out, int n) {
  __shared__ float part[32];
  float sum = 0;
  for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = warp_total(sum);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    sum = warp_total(sum);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}

extern "C" __global__ void k_row_max(const float* in, float* out, int columns) {  // a block per row
  __shared__ float part[32];
  const float* row = in + (size_t)blockIdx.x * columns;
  float most = -1e30f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) most = fmaxf(most, row[c]);
  for (int d = 16; d > 0; d >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = most;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; ++w) most = fmaxf(most, part[w]);
    out[blockIdx.x] = most;
  }
}

extern "C" __global__ void k_scan_block(const int* in, int* out, int* totals) {  // 4 per thread
  __shared__ int warps[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int4 x = reinterpret_cast<const int4*>(in)[INDEX];
  x.y += x.x;
  x.z += x.y;
  x.w += x.z;
  int sum = x.w;
  for (int d = 1; d < 32; d <<= 1) {
    int left = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) sum += left;
  }
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    int w = lane < blockDim.x / 32 ? warps[lane] : 0;
    for (int d = 1; d < 32; d <<= 1) {
      int left = __shfl_up_sync(~0u, w, d);
      if (lane >= d) w += left;
    }
    warps[lane] = w;
  }
  __syncthreads();
  int before = sum - x.w + (warp > 0 ? warps[warp - 1] : 0);
  reinterpret_cast<int4*>(out)[INDEX] =
      make_int4(before + x.x, before + x.y, before + x.z, before + x.w);
  if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = before + x.w;
}

// Each block waits for its left neighbour's total: a chain of flags.
extern "C" __global__ void k_scan_chain(const int* in, int* out, volatile int* flags,
                                        volatile int* totals) {
  __shared__ int base;
  __shared__ int warps[8];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int own = in[INDEX], sum = own;
  for (int d = 1; d < 32; d <<= 1) {
    int left = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) sum += left;
  }
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  int before = 0;
  for (int w = 0; w < warp; ++w) before += warps[w];
  if (threadIdx.x == 0) {
    int all = 0;
    for (int w = 0; w < 8; ++w) all += warps[w];
    int left = 0;
    if (blockIdx.x > 0) {
      while (flags[blockIdx.x - 1] == 0) {
      }
      __threadfence();
      left = totals[blockIdx.x - 1];
    }
    totals[blockIdx.x] = left + all;
    __threadfence();
    flags[blockIdx.x] = 1;
    base = left;
  }
  __syncthreads();
  out[INDEX] = base + before + sum - own;
}

// ── threads of unequal work ──────────────────────────────────────────────────────────────────────

extern "C" __global__ void k_mandelbrot(int* out, int width, int height, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  Element cr = Element(-2.2) + Element(3.2) * x / width,
          ci = Element(-1.4) + Element(2.8) * y / height;
  Element r = 0, i = 0;
  int k = 0;
  while (k < most && r * r + i * i < Element(4)) {
    Element next = r * r - i * i + cr;
    i = Element(2) * r * i + ci;
    r = next;
    ++k;
  }
  out[y * width + x] = k;
}

extern "C" __global__ void k_collatz(int* steps, int n) {
  int i = INDEX;
  if (i >= n) return;
  unsigned long long x = i + 1;
  int k = 0;
  while (x != 1 && k < 400) {
    x = x & 1 ? 3 * x + 1 : x >> 1;
    ++k;
  }
  steps[i] = k;
}

extern "C" __global__ void k_row_per_thread(const float* in, float* out, int rows) {  // rows of N
  int r = INDEX;
  if (r >= rows) return;
  float sum = 0;
  for (int c = 0; c < N; ++c) sum += in[(size_t)r * N + c];
  out[r] = sum;
}

extern "C" __global__ void k_row_per_warp(const float* in, float* out, int rows) {
  int r = INDEX / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  float sum = 0;
  for (int c = lane; c < N; c += 32) sum += in[(size_t)r * N + c];
  sum = warp_total(sum);
  if (lane == 0) out[r] = sum;
}

// Rows of 1 to M + 1 entries, columns by chance: sparse matrix times vector, a thread per row.
extern "C" __global__ void k_sparse_thread(const unsigned* columns, const float* values,
                                           const float* x, float* y, int rows, int mask) {
  int r = INDEX;
  if (r >= rows) return;
  int count = 1 + mix(r) % M;
  float sum = 0;
  for (int k = 0; k < count; ++k) {
    sum += values[(size_t)r * M + k] * x[columns[(size_t)r * M + k] & mask];
  }
  y[r] = sum;
}

extern "C" __global__ void k_sparse_warp(const unsigned* columns, const float* values,
                                         const float* x, float* y, int rows, int mask) {
  int r = INDEX / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  int count = 1 + mix(r) % M;
  float sum = 0;
  for (int k = lane; k < count; k += 32) {
    sum += values[(size_t)r * M + k] * x[columns[(size_t)r * M + k] & mask];
  }
  sum = warp_total(sum);
  if (lane == 0) y[r] = sum;
}

extern "C" __global__ void k_chains(const unsigned* next, unsigned* out,
                                    int mask) {  // hops in turn
  unsigned at = INDEX & mask;
  for (int k = 0; k < N; ++k) at = next[at] & mask;
  out[INDEX] = at;
}

extern "C" __global__ void k_search(const unsigned* keys, unsigned* out, int count) {  // binary
  unsigned wanted = mix(INDEX) % count;
  int low = 0, high = count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (keys[middle] < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  out[INDEX] = low;
}

// ── arithmetic ───────────────────────────────────────────────────────────────────────────────────

extern "C" __global__ void k_roots(const double* in, double* out, int n) {
  int i = INDEX;
  if (i >= n) return;
  double x = in[i] + 2;
  for (int k = 0; k < M; ++k) x = sqrt(x + k) + 1 / (x + 3);
  out[i] = x;
}

extern "C" __global__ void k_bodies(const float4* all, float4* out, int n) {
  int i = INDEX;
  float4 me = all[i];
  float3 pull = {0, 0, 0};
  for (int j = 0; j < n; ++j) {
    float4 it = all[j];
    float dx = it.x - me.x, dy = it.y - me.y, dz = it.z - me.z;
    float near = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    float s = it.w * near * near * near;
    pull.x += s * dx;
    pull.y += s * dy;
    pull.z += s * dz;
  }
  out[i] = make_float4(pull.x, pull.y, pull.z, 0);
}

extern "C" __global__ void k_bodies_tiled(const float4* all, float4* out, int n) {
  __shared__ float4 tile[256];
  int i = INDEX;
  float4 me = all[i];
  float3 pull = {0, 0, 0};
  for (int first = 0; first < n; first += 256) {
    tile[threadIdx.x] = all[first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; ++j) {
      float4 it = tile[j];
      float dx = it.x - me.x, dy = it.y - me.y, dz = it.z - me.z;
      float near = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float s = it.w * near * near * near;
      pull.x += s * dx;
      pull.y += s * dy;
      pull.z += s * dz;
    }
    __syncthreads();
  }
  out[i] = make_float4(pull.x, pull.y, pull.z, 0);
}

extern "C" __global__ void k_gelu(const float* in, float* out, int n) {
  int i = INDEX;
  if (i >= n) return;
  float x = in[i];
  out[i] = 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

extern "C" __global__ void k_paths(float* out, int n) {  // Monte Carlo walks of M steps
  int i = INDEX;
  if (i >= n) return;
  unsigned state = mix(i + 1);
  float price = 100;
  for (int k = 0; k < M; ++k) {
    state = state * 1664525u + 1013904223u;
    float u = (state >> 8) * (1.0f / 16777216) + 1e-7f;
    state = state * 1664525u + 1013904223u;
    float v = (state >> 8) * (1.0f / 16777216);
    price *= __expf(0.01f * sqrtf(-2 * __logf(u)) * __cosf(6.2831853f * v));
  }
  out[i] = price;
}

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
extern "C" __global__ void k_recursion(int* out) { out[INDEX] = fibonacci(M + threadIdx.x % 2); }

extern "C" __global__ void k_local_stack(const unsigned* in,
                                         unsigned* out) {  // indexed at run time
  unsigned stack[32];
  unsigned x = in[INDEX], top = 0, sum = 0;
  for (int k = 0; k < N; ++k) {
    x = mix(x);
    if ((x & 1) && top < 32) stack[top++] = x;
    if (!(x & 1) && top > 0) sum += stack[--top];
  }
  out[INDEX] = sum;
}

// ── atomics ──────────────────────────────────────────────────────────────────────────────────────

extern "C" __global__ void k_swap_add(const double* in, unsigned long long* sums, int n,
                                      int words) {
  int i = INDEX;
  if (i >= n) return;
  unsigned long long* at = sums + mix(i) % words;
  unsigned long long seen = *at, old;
  do {
    old = seen;
    seen = atomicCAS(at, old, __double_as_longlong(in[i] + __longlong_as_double(old)));
  } while (seen != old);
}

extern "C" __global__ void k_hash_insert(const unsigned* keys, unsigned* table, int n, int mask) {
  int i = INDEX;
  if (i >= n) return;
  unsigned key = keys[i] | 1, at = mix(key) & mask;
  for (int probe = 0; probe < 64; ++probe) {
    unsigned before = atomicCAS(table + at, 0u, key);
    if (before == 0 || before == key) break;
    at = (at + 1) & mask;
  }
}

extern "C" __global__ void k_histogram_global(const unsigned* in, unsigned* bins, int n, int mask) {
  for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) atomicAdd(bins + (in[i] & mask), 1u);
}

extern "C" __global__ void k_histogram_shared(const unsigned* in, unsigned* bins, int n) {
  __shared__ unsigned own[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) atomicAdd(own + (in[i] & 255), 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(bins + b, own[b]);
}

extern "C" __global__ void k_append(const unsigned* in, unsigned* out, int* count, int n) {
  int i = INDEX;
  bool keep = i < n && in[i] % 4 == 0;
  unsigned mask = __ballot_sync(~0u, keep);
  int lane = threadIdx.x % 32, base = 0;
  if (lane == 0 && mask) base = atomicAdd(count, __popc(mask));
  base = __shfl_sync(~0u, base, 0);
  // Launched again without a new count, it starts over at the beginning.
  if (keep) out[(base + __popc(mask & ((1u << lane) - 1))) & (n - 1)] = in[i];
}

// ── sorts ────────────────────────────────────────────────────────────────────────────────────────

extern "C" __global__ void k_bitonic(const unsigned* in, unsigned* out) {  // KEYS keys per block
  __shared__ unsigned s[KEYS];
  for (int i = threadIdx.x; i < KEYS; i += blockDim.x) s[i] = in[blockIdx.x * KEYS + i];
  for (int size = 2; size <= KEYS; size *= 2) {
    for (int d = size / 2; d > 0; d /= 2) {
      __syncthreads();
      for (int i = threadIdx.x; i < KEYS / 2; i += blockDim.x) {
        int a = 2 * i - (i & (d - 1)), b = a + d;
        bool up = (a & size) == 0;
        if ((s[a] > s[b]) == up) {
          unsigned t = s[a];
          s[a] = s[b];
          s[b] = t;
        }
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < KEYS; i += blockDim.x) out[blockIdx.x * KEYS + i] = s[i];
}

extern "C" __global__ void k_insertion(const unsigned* in, unsigned* out) {  // M keys per thread
  unsigned own[M];
  for (int k = 0; k < M; ++k) own[k] = in[INDEX * M + k];
  for (int k = 1; k < M; ++k) {
    unsigned x = own[k];
    int j = k;
    while (j > 0 && own[j - 1] > x) {
      own[j] = own[j - 1];
      --j;
    }
    own[j] = x;
  }
  for (int k = 0; k < M; ++k) out[INDEX * M + k] = own[k];
}

// ── stencils and images ──────────────────────────────────────────────────────────────────────────

extern "C" __global__ void k_heat2(const Element* in, Element* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  int i = y * width + x;
  out[i] =
      in[i] + Element(0.2) * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - 4 * in[i]);
}

extern "C" __global__ void k_heat3(const Element* in, Element* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
  int i = (z * n + y) * n + x;
  out[i] = Element(0.4) * in[i] + Element(0.1) * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] +
                                                  in[i - n * n] + in[i + n * n]);
}

extern "C" __global__ void k_heat3_planes(const Element* in, Element* out,
                                          int n) {  // walks along z
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  int first = blockIdx.z * M, i = (first * n + y) * n + x;
  Element below = first > 0 ? in[i - n * n] : Element(0), here = in[i];
  for (int z = first; z < first + M && z < n - 1; ++z, i += n * n) {
    Element above = in[i + n * n];
    if (z > 0)
      out[i] = Element(0.4) * here +
               Element(0.1) * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + below + above);
    below = here;
    here = above;
  }
}

extern "C" __global__ void k_bilateral(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float here = in[y * width + x], sum = 0, weights = 0;
  for (int dy = -M; dy <= M; ++dy) {
    for (int dx = -M; dx <= M; ++dx) {
      int u = min(max(x + dx, 0), width - 1), v = min(max(y + dy, 0), height - 1);
      float it = in[v * width + u], d = it - here;
      float w = __expf(-0.1f * (dx * dx + dy * dy) - 50 * d * d);
      sum += w * it;
      weights += w;
    }
  }
  out[y * width + x] = sum / weights;
}

// ── rows of a neural network ─────────────────────────────────────────────────────────────────────

extern "C" __global__ void k_softmax_warp(const float* in, float* out, int rows) {  // rows of N
  int r = INDEX / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  const float* row = in + (size_t)r * N;
  float most = -1e30f;
  for (int c = lane; c < N; c += 32) most = fmaxf(most, row[c]);
  for (int d = 16; d > 0; d >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
  float sum = 0;
  for (int c = lane; c < N; c += 32) sum += __expf(row[c] - most);
  sum = warp_total(sum);
  for (int c = lane; c < N; c += 32) out[(size_t)r * N + c] = __expf(row[c] - most) / sum;
}

extern "C" __global__ void k_softmax_thread(const float* in, float* out, int rows) {
  int r = INDEX;
  if (r >= rows) return;
  const float* row = in + (size_t)r * N;
  float most = -1e30f, sum = 0;
  for (int c = 0; c < N; ++c) most = fmaxf(most, row[c]);
  for (int c = 0; c < N; ++c) sum += __expf(row[c] - most);
  for (int c = 0; c < N; ++c) out[(size_t)r * N + c] = __expf(row[c] - most) / sum;
}

extern "C" __global__ void k_layer_norm(const float* in, const float* gain, float* out) {
  __shared__ float part[2][32];
  const float* row = in + (size_t)blockIdx.x * N;
  float sum = 0, squares = 0;
  for (int c = threadIdx.x; c < N; c += blockDim.x) {
    sum += row[c];
    squares += row[c] * row[c];
  }
  sum = warp_total(sum);
  squares = warp_total(squares);
  if (threadIdx.x % 32 == 0) {
    part[0][threadIdx.x / 32] = sum;
    part[1][threadIdx.x / 32] = squares;
  }
  __syncthreads();
  sum = squares = 0;
  for (int w = 0; w < blockDim.x / 32; ++w) {
    sum += part[0][w];
    squares += part[1][w];
  }
  float mean = sum / N, scale = rsqrtf(squares / N - mean * mean + 1e-5f);
  for (int c = threadIdx.x; c < N; c += blockDim.x)
    out[(size_t)blockIdx.x * N + c] = (row[c] - mean) * scale * gain[c];
}

// A thread per query, keys and values through shared memory: heads of M, tiles of 32 keys.
extern "C" __global__ void k_attention_thread(const float* q, const float* k, const float* v,
                                              float* out, int tokens) {
  __shared__ float keys[32][M], values[32][M];
  int token = INDEX;
  float mine[M], sum[M], most = -1e30f, weights = 0;
  for (int d = 0; d < M; ++d) {
    mine[d] = q[(size_t)token * M + d];
    sum[d] = 0;
  }
  for (int first = 0; first < tokens; first += 32) {
    __syncthreads();
    for (int i = threadIdx.x; i < 32 * M; i += blockDim.x) {
      keys[i / M][i % M] = k[(size_t)first * M + i];
      values[i / M][i % M] = v[(size_t)first * M + i];
    }
    __syncthreads();
    for (int j = 0; j < 32; ++j) {
      float score = 0;
      for (int d = 0; d < M; ++d) score += mine[d] * keys[j][d];
      float top = fmaxf(most, score), old = __expf(most - top), w = __expf(score - top);
      weights = weights * old + w;
      for (int d = 0; d < M; ++d) sum[d] = sum[d] * old + w * values[j][d];
      most = top;
    }
  }
  for (int d = 0; d < M; ++d) out[(size_t)token * M + d] = sum[d] / weights;
}

// ── matrices ─────────────────────────────────────────────────────────────────────────────────────

extern "C" __global__ void k_gemv_warp(const float* a, const float* x, float* y, int columns) {
  int r = INDEX / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int c = lane * 4; c < columns; c += 128) {
    float4 w = *reinterpret_cast<const float4*>(a + (size_t)r * columns + c);
    float4 u = *reinterpret_cast<const float4*>(x + c);
    sum += w.x * u.x + w.y * u.y + w.z * u.z + w.w * u.w;
  }
  sum = warp_total(sum);
  if (lane == 0) y[r] = sum;
}

extern "C" __global__ void k_product_half2(const __half2* a, const __half2* b, float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  __half2 sum = __float2half2_rn(0);
  for (int k = 0; k < n / 2; ++k) sum = __hfma2(a[y * (n / 2) + k], b[x * (n / 2) + k], sum);
  c[y * n + x] = __low2float(sum) + __high2float(sum);
}

extern "C" __global__ void k_product_double(const double* a, const double* b, double* c, int n) {
  __shared__ double s[2][16][17];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  double sum = 0;
  for (int k = 0; k < n; k += 16) {
    s[0][ty][tx] = a[y * n + k + tx];
    s[1][ty][tx] = b[(k + ty) * n + x];
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += s[0][ty][j] * s[1][j][tx];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

// ── the device's heap ────────────────────────────────────────────────────────────────────────────

extern "C" __global__ void k_lists(unsigned* out) {  // a list of M nodes per thread, made and freed
  struct Node {
    unsigned value;
    Node* next;
  };
  Node* head = nullptr;
  for (int k = 0; k < M; ++k) {
    Node* node = static_cast<Node*>(malloc(sizeof(Node)));
    if (node == nullptr) break;
    node->value = mix(INDEX + k);
    node->next = head;
    head = node;
  }
  unsigned sum = 0;
  while (head != nullptr) {
    Node* next = head->next;
    sum += head->value;
    free(head);
    head = next;
  }
  out[INDEX] = sum;
}
