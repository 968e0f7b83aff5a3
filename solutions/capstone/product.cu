// C = A x B for matrices of n x n floats; n is a multiple of 128. A block of 256 threads makes a
// tile of 128 x 128 elements of C, 64 elements per thread.

constexpr int kDeep = 8;  // columns of A and rows of B per phase

__global__ void __launch_bounds__(256, 2) product(const float* __restrict__ a, const float* __restrict__ b,
                                                  float* __restrict__ c, int n) {
  //! begin
  __shared__ __align__(16) float as[2][kDeep][132], bs[2][kDeep][128];  // two of each; the tile of A is turned
  const int t = threadIdx.x, left = blockIdx.x * 128, top = blockIdx.y * 128;
  // A warp makes 64 x 32 elements: 8 x 4 lanes, each four neighbours, and four more 32 rows or 16 columns further.
  const int row = t / 128 * 64 + t % 32 / 4 * 4, col = t / 32 % 4 * 32 + t % 4 * 4;
  const float4* from_a = reinterpret_cast<const float4*>(a + (top + t / 2) * n + t % 2 * 4);
  const float4* from_b = reinterpret_cast<const float4*>(b + t / 32 * n + left + t % 32 * 4);
  float4 u = from_a[0], v = from_b[0];
  float sum[8][8] = {};
  for (int first = 0, now = 0; first < n; first += kDeep, now = 1 - now) {
    const float turned[4] = {u.x, u.y, u.z, u.w};
    for (int e = 0; e < 4; ++e) as[now][t % 2 * 4 + e][t / 2] = turned[e];
    *reinterpret_cast<float4*>(&bs[now][t / 32][t % 32 * 4]) = v;
    __syncthreads();  // the only one: the next phase stores into the other two tiles
    if (first + kDeep < n) {  // in flight while this phase multiplies
      u = from_a[(first + kDeep) / 4];
      v = from_b[(first + kDeep) * n / 4];
    }
#pragma unroll
    for (int k = 0; k < kDeep; ++k) {
      const float4 a0 = *reinterpret_cast<float4*>(&as[now][k][row]);
      const float4 a1 = *reinterpret_cast<float4*>(&as[now][k][row + 32]);
      const float4 b0 = *reinterpret_cast<float4*>(&bs[now][k][col]);
      const float4 b1 = *reinterpret_cast<float4*>(&bs[now][k][col + 16]);
      const float of_a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float of_b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
      for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) sum[y][x] += of_a[y] * of_b[x];
      }
    }
  }
  for (int y = 0; y < 8; ++y) {
    float* to = c + (top + row + y % 4 + y / 4 * 32) * n + left + col;
    *reinterpret_cast<float4*>(to) = make_float4(sum[y][0], sum[y][1], sum[y][2], sum[y][3]);
    *reinterpret_cast<float4*>(to + 16) = make_float4(sum[y][4], sum[y][5], sum[y][6], sum[y][7]);
  }
  //! instead
  //!
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 128, n / 128), dim3(256)};
}
