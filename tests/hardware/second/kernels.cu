// Kernels as lectures and textbooks have them, to compare the emulator's counters and the model's
// times with a GPU's: written after the emulator, so that nothing in it was made for them.
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

// --- copies, layouts -----------------------------------------------------------------------------

extern "C" __global__ void k_saxpy(float a, const float* __restrict__ x, float* __restrict__ y,
                                   int n) {
  int i = INDEX;
  if (i < n) y[i] = a * x[i] + y[i];
}

struct Particle {
  float x, y, z, mass;
  float vx, vy, vz, charge;
};
extern "C" __global__ void k_particles(Particle* p, float dt) {
  int i = INDEX;
  p[i].x += p[i].vx * dt;
  p[i].y += p[i].vy * dt;
  p[i].z += p[i].vz * dt;
}

struct Mixed {
  char flag;
  int count;
  double value;
};
extern "C" __global__ void k_mixed(const Mixed* in, double* out) {
  int i = INDEX;
  out[i] = in[i].flag > 0 ? in[i].value : in[i].count;
}

extern "C" __global__ void k_gray(const uchar3* in, unsigned char* out) {
  int i = INDEX;
  uchar3 p = in[i];
  out[i] = (unsigned char)((77 * p.x + 150 * p.y + 29 * p.z) >> 8);
}

extern "C" __global__ void k_complex(const float2* a, const float2* b, float2* c) {
  int i = INDEX;
  float2 p = a[i], q = b[i];
  c[i] = make_float2(p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x);
}

extern "C" __global__ void k_half_of_vector(const float4* in, float* out) {
  int i = INDEX;
  float4 v = in[i];
  out[i] = v.x + v.w;
}

extern "C" __global__ void k_positive(const float* in, float* out) {
  int i = INDEX;
  float v = in[i];
  if (v > 0) out[i] = v;
}

extern "C" __global__ void k_three_dimensions(const float* in, float* out, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  out[(x * ny + y) * gridDim.z * blockDim.z + z] = in[(z * ny + y) * nx + x];
}

// --- sums, products of vectors -------------------------------------------------------------------

extern "C" __global__ void k_row_sums(const float* m, float* out, int n) {
  int row = INDEX;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += m[row * n + k];
  out[row] = sum;
}

extern "C" __global__ void k_column_sums(const float* m, float* out, int n, int rows) {
  int column = INDEX;
  float sum = 0;
  for (int k = 0; k < rows; ++k) sum += m[k * n + column];
  out[column] = sum;
}

extern "C" __global__ void k_row_a_warp(const float* m, const float* v, float* out, int n) {
  int lane = threadIdx.x % 32, row = (int)INDEX / 32;
  float sum = 0;
  for (int k = lane; k < n; k += 32) sum += m[row * n + k] * v[k];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0) out[row] = sum;
}

extern "C" __global__ void k_reduce_warps(const float* in, float* out) {
  __shared__ float part[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float v = in[INDEX];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (lane == 0) part[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = lane < blockDim.x / 32 ? part[lane] : 0.0f;
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
    if (lane == 0) out[blockIdx.x] = v;
  }
}

extern "C" __global__ void k_reduce_interleaved(const float* in, float* out) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x * 2 + t] + in[blockIdx.x * blockDim.x * 2 + t + blockDim.x];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

template <int kThreads>
__device__ void reduce_unrolled(const float* in, float* out) {
  __shared__ float s[kThreads];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * kThreads * 2 + t] + in[blockIdx.x * kThreads * 2 + t + kThreads];
  __syncthreads();
  if (kThreads >= 512) {
    if (t < 256) s[t] += s[t + 256];
    __syncthreads();
  }
  if (kThreads >= 256) {
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
  }
  if (kThreads >= 128) {
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
  }
  if (t < 32) {
    float v = s[t] + s[t + 32];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (t == 0) out[blockIdx.x] = v;
  }
}
extern "C" __global__ void k_reduce_unrolled(const float* in, float* out) {
  reduce_unrolled<256>(in, out);
}

// --- scans ---------------------------------------------------------------------------------------

extern "C" __global__ void k_scan_steps(const int* in, int* out) {
  __shared__ int s[2][256];
  int t = threadIdx.x, from = 0;
  s[0][t] = in[INDEX];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[INDEX] = s[from][t];
}

extern "C" __global__ void k_scan_warps(const int* in, int* out) {
  int lane = threadIdx.x % 32, v = in[INDEX];
  for (int d = 1; d < 32; d *= 2) {
    int below = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d) v += below;
  }
  out[INDEX] = v;
}

extern "C" __global__ void k_compact(const float* in, float* out, int* count) {
  float v = in[INDEX];
  unsigned mask = __ballot_sync(0xffffffffu, v > 0.25f);
  int lane = threadIdx.x % 32, warp = INDEX / 32;
  if (v > 0.25f) out[warp * 32 + __popc(mask & ((1u << lane) - 1))] = v;
  if (lane == 0) count[warp] = __popc(mask);
}

// --- histograms, atomics -------------------------------------------------------------------------

extern "C" __global__ void k_ticket(unsigned* next, unsigned* out) {
  unsigned mine = atomicAdd(&next[threadIdx.x / 32], 1u);
  atomicMax(&out[threadIdx.x], mine);
}

extern "C" __global__ void k_largest(const int* in, int* out) { atomicMax(out, in[INDEX]); }

extern "C" __global__ void k_swap(unsigned* words, unsigned* won) {
  unsigned i = INDEX;
  if (atomicCAS(&words[i / 2], 0u, 1u) == 0u) atomicAdd(&won[0], 1u);
}

extern "C" __global__ void k_add_float(const float* in, double* sum, float* bins) {
  unsigned i = INDEX;
  atomicAdd(&bins[(i * 7) % 64], 1.0f);
  atomicAdd(sum, (double)(in[i] > 0));
}

// --- stencils, images ----------------------------------------------------------------------------

extern "C" __global__ void k_stencil_row(const float* in, float* out, int n) {
  int i = INDEX;
  if (i < 1 || i >= n - 1) return;
  out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

extern "C" __global__ void k_heat(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) return;
  const float* p = in + y * w + x;
  out[y * w + x] = p[0] + 0.1f * (p[-1] + p[1] + p[-w] + p[w] - 4 * p[0]);
}

extern "C" __global__ void k_life(const unsigned char* in, unsigned char* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int alive = 0;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i)
      if (i != 0 || j != 0) alive += in[((y + j + h) % h) * w + (x + i + w) % w] & 1;
  unsigned char me = in[y * w + x] & 1;
  out[y * w + x] = alive == 3 || (me && alive == 2);
}

extern "C" __global__ void k_sobel(const unsigned char* in, short* out, int w, int h) {
  __shared__ unsigned char s[18][18];
  int x0 = blockIdx.x * 16 - 1, y0 = blockIdx.y * 16 - 1;
  for (int t = threadIdx.y * 16 + threadIdx.x; t < 18 * 18; t += 256) {
    int x = min(max(x0 + t % 18, 0), w - 1), y = min(max(y0 + t / 18, 0), h - 1);
    s[t / 18][t % 18] = in[y * w + x];
  }
  __syncthreads();
  int tx = threadIdx.x, ty = threadIdx.y;
  int gx = s[ty][tx + 2] + 2 * s[ty + 1][tx + 2] + s[ty + 2][tx + 2] - s[ty][tx] -
           2 * s[ty + 1][tx] - s[ty + 2][tx];
  int gy = s[ty + 2][tx] + 2 * s[ty + 2][tx + 1] + s[ty + 2][tx + 2] - s[ty][tx] -
           2 * s[ty][tx + 1] - s[ty][tx + 2];
  out[(blockIdx.y * 16 + ty) * w + blockIdx.x * 16 + tx] = (short)(abs(gx) + abs(gy));
}

__constant__ float kernel_row[17] = {0.01f, 0.02f, 0.03f, 0.05f, 0.07f, 0.08f, 0.1f,  0.1f, 0.08f,
                                     0.1f,  0.1f,  0.08f, 0.07f, 0.05f, 0.03f, 0.02f, 0.01f};
extern "C" __global__ void k_convolve_rows(const float* in, float* out, int w) {
  __shared__ float s[8][32 + 16];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x + 8] = in[y * w + x];
  if (threadIdx.x < 8) {
    s[threadIdx.y][threadIdx.x] = x >= 8 ? in[y * w + x - 8] : 0.0f;
    s[threadIdx.y][threadIdx.x + 40] = x + 32 < w ? in[y * w + x + 32] : 0.0f;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 17; ++k) sum += kernel_row[k] * s[threadIdx.y][threadIdx.x + k];
  out[y * w + x] = sum;
}

extern "C" __global__ void k_convolve_columns(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
  for (int k = -8; k <= 8; ++k) {
    if (y + k >= 0 && y + k < h) sum += kernel_row[k + 8] * in[(y + k) * w + x];
  }
  out[y * w + x] = sum;
}

// --- matrices ------------------------------------------------------------------------------------

extern "C" __global__ void k_transpose_in_warp(const int* in, int* out) {  // 32 x 32 by shuffles
  int lane = threadIdx.x % 32, first = (INDEX / 32) * 1024;
  int v[32];
#pragma unroll
  for (int r = 0; r < 32; ++r) v[r] = in[first + r * 32 + lane];
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
#pragma unroll
    for (int r = 0; r < 32; ++r) {
      if ((r & d) != 0) continue;
      int a = v[r], b = v[r + d];
      int give = (lane & d) ? a : b;
      int got = __shfl_xor_sync(0xffffffffu, give, d);
      if (lane & d)
        v[r] = got;
      else
        v[r + d] = got;
    }
  }
#pragma unroll
  for (int r = 0; r < 32; ++r) out[first + r * 32 + lane] = v[r];
}

extern "C" __global__ void k_matmul_squares(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][64], bs[16][64];  // 64 x 64 of 16 x 16 threads, 4 x 4 each
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  float sum[4][4] = {};
  for (int k0 = 0; k0 < n; k0 += 16) {
    int ar = t / 4, ac = (t % 4) * 4, br = t / 16, bc = (t % 16) * 4;
    float4 va = *(const float4*)&a[(blockIdx.y * 64 + ar) * n + k0 + ac];
    as[ac][ar] = va.x;
    as[ac + 1][ar] = va.y;
    as[ac + 2][ar] = va.z;
    as[ac + 3][ar] = va.w;
    *(float4*)&bs[br][bc] = *(const float4*)&b[(k0 + br) * n + blockIdx.x * 64 + bc];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      float4 p = *(const float4*)&as[k][ty * 4], q = *(const float4*)&bs[k][tx * 4];
      float x[4] = {p.x, p.y, p.z, p.w}, y[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sum[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    *(float4*)&c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4] =
        make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
  }
}

extern "C" __global__ void k_matmul_double(const double* a, const double* b, double* c, int n) {
  __shared__ double as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  double sum = 0;
  for (int t = 0; t < n; t += 16) {
    as[ty][tx] = a[row * n + t + tx];
    bs[ty][tx] = b[(t + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

extern "C" __global__ void k_shortest_paths(int* d, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i == k || j == k) return;
  int through = (d[i * n + k] & 0xffff) + (d[k * n + j] & 0xffff), now = d[i * n + j] & 0xffff;
  if (through < now) d[i * n + j] = through;
}

extern "C" __global__ void k_sparse_rows(const unsigned* columns, const float* values,
                                         const float* x, float* y, int width, unsigned mask) {
  int row = INDEX;
  float sum = 0;
  for (int k = 0; k < width; ++k) {
    sum += values[row * width + k] * x[columns[row * width + k] & mask];
  }
  y[row] = sum;
}

extern "C" __global__ void k_sparse_ell(const unsigned* columns, const float* values,
                                        const float* x, float* y, int rows, int width,
                                        unsigned mask) {
  int row = INDEX;
  float sum = 0;
  for (int k = 0; k < width; ++k) {
    sum += values[k * rows + row] * x[columns[k * rows + row] & mask];
  }
  y[row] = sum;
}

// --- sorting, searching, bodies ------------------------------------------------------------------

extern "C" __global__ void k_bitonic(int* data) {  // 512 of 256 threads
  __shared__ int s[512];
  int t = threadIdx.x, first = blockIdx.x * 512;
  s[t] = data[first + t];
  s[t + 256] = data[first + t + 256];
  for (int size = 2; size <= 512; size *= 2) {
    for (int d = size / 2; d > 0; d /= 2) {
      __syncthreads();
      int a = 2 * t - (t & (d - 1)), b = a + d;
      bool up = (a & size) == 0;
      int x = s[a], y = s[b];
      if ((x > y) == up) {
        s[a] = y;
        s[b] = x;
      }
    }
  }
  __syncthreads();
  data[first + t] = s[t];
  data[first + t + 256] = s[t + 256];
}

extern "C" __global__ void k_search(const unsigned* sorted, const unsigned* keys, unsigned* out,
                                    int n) {
  unsigned key = keys[INDEX] % (unsigned)n;
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  out[INDEX] = low;
}

extern "C" __global__ void k_bodies(const float4* bodies, float4* out, int n) {
  __shared__ float4 tile[256];
  float4 me = bodies[INDEX];
  float ax = 0, ay = 0, az = 0;
  for (int t = 0; t < n; t += 256) {
    tile[threadIdx.x] = bodies[t + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 256; ++k) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float w = dx * dx + dy * dy + dz * dz;
      ax += w * dx;
      ay += w * dy;
      az += w * dz;
    }
    __syncthreads();
  }
  out[INDEX] = make_float4(ax, ay, az, me.w);
}

extern "C" __global__ void k_mandelbrot(unsigned char* out, int w, int most) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  float cx = px * (3.0f / 512) - 2.0f, cy = py * (2.0f / 512) - 1.0f, x = 0, y = 0;
  int k = 0;
  while (k < most && x * x + y * y < 4.0f) {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    ++k;
  }
  out[py * w + px] = (unsigned char)k;
}

extern "C" __global__ void k_polynomial(const float* in, float* out) {
  int i = INDEX;
  float x = in[i], y = 0;
#pragma unroll 16
  for (int k = 0; k < 512; ++k) y = y * x + 0.5f;
  out[i] = y;
}

extern "C" __global__ void k_integers(unsigned* out, int n) {
  unsigned x = INDEX, sum = 0;
  for (int k = 0; k < n; ++k) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    sum += x & 0xff;
  }
  out[INDEX] = sum;
}

extern "C" __global__ void k_divide(const unsigned* in, unsigned* out, unsigned by) {
  unsigned v = in[INDEX], sum = 0;
  for (int k = 0; k < 16; ++k) {
    sum += v % (by + k);
    v = v / 3 + 77777777u;
  }
  out[INDEX] = sum;
}

extern "C" __global__ void k_roots(const float* in, float* out) {
  int i = INDEX;
  float v = in[i] + 1.0f;
  for (int k = 0; k < 32; ++k) v = sqrtf(v) + 1.0f / v;
  out[i] = v;
}

extern "C" __global__ void k_local_array(const int* in, int* out) {
  int seen[32];
  for (int k = 0; k < 32; ++k) seen[k] = k;
  int v = in[INDEX];
  for (int k = 0; k < 32; ++k) {
    int a = (v + k) & 31, b = (v >> 5) & 31;
    int s = seen[a];
    seen[a] = seen[b];
    seen[b] = s;
  }
  out[INDEX] = seen[v & 31];
}

// --- shared memory in other shapes ---------------------------------------------------------------

extern "C" __global__ void k_shared_bytes(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char table[256];
  table[threadIdx.x] = (unsigned char)(threadIdx.x * 7);
  __syncthreads();
  out[INDEX] = table[in[INDEX]];
}

extern "C" __global__ void k_queue(const float* in, float* out) {  // shared, indices by an atomic
  __shared__ int count;
  __shared__ float s[256];
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  float v = in[INDEX];
  if (v > 0) s[atomicAdd(&count, 1)] = 1.0f;
  __syncthreads();
  out[INDEX] = threadIdx.x < count ? s[threadIdx.x] : 0.0f;
}
