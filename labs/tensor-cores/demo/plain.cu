#include <cuda_fp16.h>

// C = A B with A of m × k and B of k × n halves and C of m × n floats, all row by row; m, n and k are multiples of 64.
// A block of 16 warps computes 64 × 64 elements of C, each warp 16 × 16 of them.

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

// Where a chunk of a row lies in a tile: 8 halves, 16 bytes; a row has eight chunks.
__device__ int place(int row, int chunk) {
  return row * 64 + chunk * 8;
}

__global__ void __launch_bounds__(512) product(const __half* a, const __half* b, float* c, int m, int n, int k) {
  __shared__ __align__(128) __half as[64 * 64], bs[64 * 64];
  int top = blockIdx.y * 64, left = blockIdx.x * 64;
  int t = threadIdx.x, lane = t % 32, warp = t / 32, row = warp / 4 * 16, col = warp % 4 * 16;
  int y = t / 8, chunk = t % 8;  // what the thread copies
  float sum[2][4] = {};
  for (int first = 0; first < k; first += 64) {
    *reinterpret_cast<uint4*>(as + place(y, chunk)) = *reinterpret_cast<const uint4*>(a + (top + y) * k + first + chunk * 8);
    *reinterpret_cast<uint4*>(bs + place(y, chunk)) = *reinterpret_cast<const uint4*>(b + (first + y) * n + left + chunk * 8);
    __syncthreads();
    for (int i = 0; i < 64; i += 16) {
      unsigned of_a[4], of_b[4];
      ldmatrix(of_a, as + place(row + lane % 16, i / 8 + lane / 16));
      ldmatrix_trans(of_b, bs + place(i + lane % 16, col / 8 + lane / 16));
      mma(sum[0], of_a, of_b[0], of_b[1]);
      mma(sum[1], of_a, of_b[2], of_b[3]);
    }
    __syncthreads();
  }
  // Of 16 × 8 sums a lane has columns 2 (lane % 4) and the next one, of rows lane / 4 and lane / 4 + 8.
  for (int j = 0; j < 2; ++j) {
    float* to = c + (top + row + lane / 4) * n + left + col + 8 * j + lane % 4 * 2;
    *reinterpret_cast<float2*>(to) = make_float2(sum[j][0], sum[j][1]);
    *reinterpret_cast<float2*>(to + 8 * n) = make_float2(sum[j][2], sum[j][3]);
  }
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(n / 64, m / 64), dim3(512)};
}
