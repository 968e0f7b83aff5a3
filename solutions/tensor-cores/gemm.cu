#include <cuda_fp16.h>

// C = A B with A of m × k and B of k × n halves and C of m × n floats, all row by row; m and n are multiples of 128, k of 64.
// A block of 4 warps computes 128 × 128 elements of C, each warp 64 × 64 of them.

// Loads four matrices of 8 × 8 halves: lane l brings the address of row l % 8 of matrix l / 8, and gets elements 2 (l % 4) and
// 2 (l % 4) + 1 of row l / 4 of each: r[0] from the first matrix, r[1] from the second, …
__device__ void ldmatrix(unsigned (&r)[4], const __half* row) {
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}

// The same, with each of the four matrices transposed on the way.
__device__ void ldmatrix_trans(unsigned (&r)[4], const __half* row) {
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}

// d += A B, by the whole warp: A is 16 × 16 halves, B 16 × 8, d 16 × 8 floats.
__device__ void mma(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Where a chunk of 8 halves lies in a tile whose rows have `width` halves.
__device__ int place(int row, int chunk, int width) { return row * width + (chunk ^ row % 8) * 8; }

// Starts copying 16 bytes from global to shared memory.
__device__ void copy(__half* to, const __half* from) {
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
}

// Closes the group of copies that the thread has started since the last call.
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until at most N of the thread's groups are still under way.
template <int N>
__device__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

constexpr int kTile = 128 * 64;  // halves of a tile of A, and of one of B
//! begin
constexpr int kStages = 3;
//! instead
//! constexpr int kStages = 1;
//! end

__global__ void __launch_bounds__(128, 2) product(const __half* a, const __half* b, float* c, int m, int n, int k) {
  extern __shared__ __align__(128) __half pool[];  // the tiles of A, one per stage, then those of B
  int top = blockIdx.y * 128, left = blockIdx.x * 128;
  int t = threadIdx.x, lane = t % 32, warp = t / 32, row = warp / 2 * 64, col = warp % 2 * 64;
  float sum[4][8][4] = {};

  // Starts the copies of both tiles at column `first` of A, row `first` of B.
  auto fetch = [&](int first, int stage) {
    __half *as = pool + stage * kTile, *bs = pool + (kStages + stage) * kTile;
    for (int i = 0; i < 8; ++i) {
      int ya = t / 8 + 16 * i, xa = t % 8, yb = t / 16 + 8 * i, xb = t % 16;
      copy(as + place(ya, xa, 64), a + (top + ya) * k + first + xa * 8);
      copy(bs + place(yb, xb, 128), b + (first + yb) * n + left + xb * 8);
    }
  };

  // Adds the products of both tiles of a stage.
  auto multiply = [&](int stage) {
    const __half *as = pool + stage * kTile, *bs = pool + (kStages + stage) * kTile;
#pragma unroll
    for (int step = 0; step < 64; step += 16) {
      unsigned of_a[4][4], of_b[4][4];
      for (int i = 0; i < 4; ++i) ldmatrix(of_a[i], as + place(row + 16 * i + lane % 16, step / 8 + lane / 16, 64));
      for (int j = 0; j < 4; ++j) ldmatrix_trans(of_b[j], bs + place(step + lane % 16, col / 8 + 2 * j + lane / 16, 128));
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 8; ++j) mma(sum[i][j], of_a[i], of_b[j / 2][j % 2 * 2], of_b[j / 2][j % 2 * 2 + 1]);
      }
    }
  };

  //! begin
  for (int s = 0; s < kStages - 1; ++s) {
    if (s * 64 < k) fetch(s * 64, s);
    commit();
  }
  int stage = 0;
  for (int first = 0; first < k; first += 64) {
    wait<kStages - 2>();  // this thread's part of the tile at `first` is there
    __syncthreads();      // everybody's is, and nobody reads the tile before it any more
    int next = first + (kStages - 1) * 64;
    if (next < k) fetch(next, (stage + kStages - 1) % kStages);
    commit();
    multiply(stage);
    stage = (stage + 1) % kStages;
  }
  //! instead
  //! for (int first = 0; first < k; first += 64) {
  //!   fetch(first, 0);
  //!   commit();
  //!   wait<0>();
  //!   __syncthreads();
  //!   multiply(0);
  //!   __syncthreads();
  //! }
  //! end
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 8; ++j) {
      float* to = c + (top + row + 16 * i + lane / 4) * n + left + col + 8 * j + lane % 4 * 2;
      *reinterpret_cast<float2*>(to) = make_float2(sum[i][j][0], sum[i][j][1]);
      *reinterpret_cast<float2*>(to + 8 * n) = make_float2(sum[i][j][2], sum[i][j][3]);
    }
  }
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(n / 128, m / 128), dim3(128), kStages * 2 * kTile * 2};
}
