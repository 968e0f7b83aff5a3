#include <cuda_fp16.h>

// C = A B with A of m × k and B of k × n halves and C of m × n floats, all row by row; m is a multiple of 256, n of 128, k of 64.
// A block of 8 warps computes 256 × 128 elements of C, each warp 64 × 64 of them. All addresses of shared memory are 32-bit
// numbers here, as the instructions want them.

// Loads four matrices of 8 × 8 halves; lane l brings the address of row l % 8 of matrix l / 8.
__device__ void ldmatrix(unsigned (&r)[4], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row) : "memory");
}

// The same, with each of the four matrices transposed on the way.
__device__ void ldmatrix_trans(unsigned (&r)[4], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row) : "memory");
}

// d += A B, by the whole warp: A is 16 × 16 halves, B 16 × 8, d 16 × 8 floats.
__device__ void mma(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Starts copying 16 bytes from global to shared memory.
__device__ void copy(unsigned to, const __half* from) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

// Closes the group of copies that the thread has started since the last call.
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until at most N of the thread's groups are still under way.
template <int N>
__device__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

constexpr int kBytesA = 256 * 64 * 2, kBytesB = 64 * 128 * 2, kStage = kBytesA + kBytesB;
//! begin
constexpr int kStages = 3;
//! instead
//! constexpr int kStages = 1;
//! end

__global__ void __launch_bounds__(256, 1)
    product(const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
  extern __shared__ __align__(1024) char pool[];  // stages, each with a tile of A and one of B
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(pool));
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, row = warp / 2 * 64, col = warp % 2 * 64;

  // Eight rows of blocks go together from left to right, so that they share columns of B in L2.
  const int blocks_m = m / 256, blocks_n = n / 128, together = 8 * blocks_n, upper = blockIdx.x / together * 8;
  const int high = min(8, blocks_m - upper);
  const int top = (upper + blockIdx.x % together % high) * 256, left = blockIdx.x % together / high * 128;

  // Starts this thread's copies of the next tiles, 64 columns of A and 64 rows of B, into a stage.
  const int ya = t / 8, xa = t % 8, yb = t / 16, xb = t % 16;
  const __half* from_a = a + static_cast<size_t>(top + ya) * k + xa * 8;
  const __half* from_b = b + static_cast<size_t>(yb) * n + left + xb * 8;
  const unsigned to_a = base + ya * 128 + (xa ^ ya % 8) * 16;
  auto fetch = [&](int stage) {
#pragma unroll
    for (int i = 0; i < 8; ++i) copy(to_a + stage * kStage + i * 32 * 128, from_a + static_cast<size_t>(i) * 32 * k);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int y = yb + i * 16;
      copy(base + stage * kStage + kBytesA + y * 256 + (xb ^ y % 8) * 16, from_b + static_cast<size_t>(i) * 16 * n);
    }
  };
  auto advance = [&] { from_a += 64, from_b += static_cast<size_t>(64) * n; };

  // Loads the pieces of step 0 to 3 of a stage: 16 columns of A, 16 rows of B. There are two sets of registers for them.
  unsigned of_a[2][4][4], of_b[2][4][4];
  const unsigned line_a = base + (row + lane % 16) * 128, line_b = base + kBytesA + lane % 16 * 256;
  auto load = [&](int set, int stage, int step) {
#pragma unroll
    for (int i = 0; i < 4; ++i) ldmatrix(of_a[set][i], line_a + stage * kStage + i * 16 * 128 + ((step * 2 + lane / 16) ^ lane % 16 % 8) * 16);
#pragma unroll
    for (int j = 0; j < 4; ++j) ldmatrix_trans(of_b[set][j], line_b + stage * kStage + step * 16 * 256 + ((col / 8 + j * 2 + lane / 16) ^ lane % 8) * 16);
  };

  // Multiplies the pieces of a set.
  float sum[4][8][4] = {};
  auto multiply = [&](int set) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int jj = 0; jj < 8; ++jj) {
        const int j = i % 2 ? 7 - jj : jj;  // back and forth: the last B is the next one's first
        mma(sum[i][j], of_a[set][i], of_b[set][j / 2][j % 2 * 2], of_b[set][j / 2][j % 2 * 2 + 1]);
      }
    }
  };

  const int tiles = k / 64;
  //! begin
#pragma unroll
  for (int s = 0; s < kStages - 1; ++s) {
    if (s < tiles) {
      fetch(s);
      advance();
    }
    commit();
  }
  wait<kStages - 2>();  // this thread's part of the first tile is there,
  __syncthreads();      // and everybody's
  load(0, 0, 0);
  int read = 0, write = kStages - 1;
  for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      if (step == 3) {        // all pieces of this tile are in registers: on to the next
        wait<kStages - 2>();  // it is there,
        __syncthreads();      // and nobody reads this one any more
        read = read + 1 == kStages ? 0 : read + 1;
      }
      if (step < 3 || tile + 1 < tiles) load((step + 1) % 2, read, (step + 1) % 4);
      if (step == 0) {
        if (tile + kStages - 1 < tiles) fetch(write);
        advance();
        commit();
        write = write + 1 == kStages ? 0 : write + 1;
      }
      multiply(step % 2);
    }
  }
  //! instead
  //! for (int tile = 0; tile < tiles; ++tile) {
  //!   fetch(0);
  //!   advance();
  //!   commit();
  //!   wait<0>();
  //!   __syncthreads();
  //! #pragma unroll
  //!   for (int step = 0; step < 4; ++step) {
  //!     load(step % 2, 0, step);
  //!     multiply(step % 2);
  //!   }
  //!   __syncthreads();
  //! }
  //! end
  wait<0>();
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      float* to = c + static_cast<size_t>(top + row + 16 * i + lane / 4) * n + left + col + 8 * j + lane % 4 * 2;
      *reinterpret_cast<float2*>(to) = make_float2(sum[i][j][0], sum[i][j][1]);
      *reinterpret_cast<float2*>(to + static_cast<size_t>(8) * n) = make_float2(sum[i][j][2], sum[i][j][3]);
    }
  }
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(m / 256 * (n / 128)), dim3(256), kStages * kStage};
}
