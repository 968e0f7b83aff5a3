// C = A × B for matrices of n × n floats; n is a multiple of 128. A block of 256 threads makes a
// tile of 128 × 128 elements of C, 64 elements a thread.

__global__ void __launch_bounds__(256) product(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) float as[8][132], bs[8][128];  // as[k][row]: the tile of A is turned
  int t = threadIdx.x, left = blockIdx.x * 128, top = blockIdx.y * 128;
  //! begin
  int row = t / 16 * 8, col = t % 16 * 4;  // rows to row + 7, columns to col + 3 and 64 further
  //! instead
  //! int row = 0, col = 0;  // of the thread's elements in the block's tile: which are they?
  //! end
  float sum[8][8] = {};
  for (int first = 0; first < n; first += 8) {
    // Each thread brings four elements of A and four of B.
    const float4 u = *reinterpret_cast<const float4*>(a + (top + t / 2) * n + first + t % 2 * 4);
    const float4 v = *reinterpret_cast<const float4*>(b + (first + t / 32) * n + left + t % 32 * 4);
    const float turned[4] = {u.x, u.y, u.z, u.w};
    for (int e = 0; e < 4; ++e) as[t % 2 * 4 + e][t / 2] = turned[e];
    *reinterpret_cast<float4*>(&bs[t / 32][t % 32 * 4]) = v;
    __syncthreads();
    //! begin
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const float4 a0 = *reinterpret_cast<float4*>(&as[k][row]);
      const float4 a1 = *reinterpret_cast<float4*>(&as[k][row + 4]);
      const float4 b0 = *reinterpret_cast<float4*>(&bs[k][col]);
      const float4 b1 = *reinterpret_cast<float4*>(&bs[k][col + 64]);
      const float of_a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float of_b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
      for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) sum[y][x] += of_a[y] * of_b[x];
      }
    }
    //! instead
    //! // Both tiles are there: add the products of all eight k.
    //! end
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
