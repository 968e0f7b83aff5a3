// C = A × B for matrices of n × n floats; n is a multiple of 128. A block of 256 threads makes a
// tile of 128 × 128 elements of C, 64 elements per thread, as at the end of the lab "Tiling".

__global__ void __launch_bounds__(256, 2) product(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) float as[2][8][132], bs[2][8][128];  // two pairs of tiles, used in turn
  int t = threadIdx.x, left = blockIdx.x * 128, top = blockIdx.y * 128;
  int row = t / 16 * 8, col = t % 16 * 4;  // rows to row + 7, columns to col + 3 and 64 further
  const float* from_a = a + (top + t / 2) * n + t % 2 * 4;   // this thread's part of A's first tile
  const float* from_b = b + t / 32 * n + left + t % 32 * 4;  // and of B's
  float sum[8][8] = {};
  float4 u = *reinterpret_cast<const float4*>(from_a);  // on their way to the next pair of tiles
  float4 v = *reinterpret_cast<const float4*>(from_b);
  for (int first = 0, s = 0; first < n; first += 8, s ^= 1) {
    const float turned[4] = {u.x, u.y, u.z, u.w};
    for (int e = 0; e < 4; ++e) as[s][t % 2 * 4 + e][t / 2] = turned[e];
    *reinterpret_cast<float4*>(&bs[s][t / 32][t % 32 * 4]) = v;
    __syncthreads();
    if (first + 8 < n) {
      u = *reinterpret_cast<const float4*>(from_a + first + 8);
      v = *reinterpret_cast<const float4*>(from_b + (first + 8) * n);
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const float4 a0 = *reinterpret_cast<float4*>(&as[s][k][row]);
      const float4 a1 = *reinterpret_cast<float4*>(&as[s][k][row + 4]);
      const float4 b0 = *reinterpret_cast<float4*>(&bs[s][k][col]);
      const float4 b1 = *reinterpret_cast<float4*>(&bs[s][k][col + 64]);
      const float of_a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float of_b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
      for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) sum[y][x] += of_a[y] * of_b[x];
      }
    }
    __syncthreads();
  }
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x) {
      c[(top + row + y) * n + left + col + x % 4 + x / 4 * 64] = sum[y][x];
    }
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 128, n / 128), dim3(256)};
}
