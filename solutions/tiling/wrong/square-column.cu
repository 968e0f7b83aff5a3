// 64 results in one column: each operand of A is used once.

__global__ void __launch_bounds__(256) product(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) float as[8][132], bs[8][128];  // as[k][row]: the tile of A is turned
  int t = threadIdx.x, left = blockIdx.x * 128, top = blockIdx.y * 128;
  int row = t / 128 * 64, col = t % 128;  // rows to row + 63 of one column
  float sum[64] = {};
  for (int first = 0; first < n; first += 8) {
    // Each thread brings four elements of A and four of B.
    const float4 u = *reinterpret_cast<const float4*>(a + (top + t / 2) * n + first + t % 2 * 4);
    const float4 v = *reinterpret_cast<const float4*>(b + (first + t / 32) * n + left + t % 32 * 4);
    const float turned[4] = {u.x, u.y, u.z, u.w};
    for (int e = 0; e < 4; ++e) as[t % 2 * 4 + e][t / 2] = turned[e];
    *reinterpret_cast<float4*>(&bs[t / 32][t % 32 * 4]) = v;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const float of_b = bs[k][col];
      for (int y = 0; y < 64; ++y) sum[y] += as[k][row + y] * of_b;
    }
    __syncthreads();
  }
  for (int y = 0; y < 64; ++y) c[(top + row + y) * n + left + col] = sum[y];
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 128, n / 128), dim3(256)};
}
