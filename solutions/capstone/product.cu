// C = A x B for matrices of n x n floats; n is a multiple of 128. A block of 256 threads makes a
// tile of 128 x 128 elements of C, 64 elements per thread.

constexpr int kDeep = 16;  // columns of A and rows of B per phase

__global__ void __launch_bounds__(256, 2) product(const float* __restrict__ a, const float* __restrict__ b,
                                                  float* __restrict__ c, int n) {
  __shared__ __align__(16) float as[2][kDeep][132], bs[2][kDeep][128];  // two of each; the tile of A is turned
  const int t = threadIdx.x, left = blockIdx.x * 128, top = blockIdx.y * 128;
  // A warp makes 64 x 32 elements: 8 x 4 lanes, each four neighbours, and four more 32 rows or 16 columns further.
  const int row = t / 128 * 64 + t % 32 / 4 * 4, col = t / 32 % 4 * 32 + t % 4 * 4;
  const float4* from_a = reinterpret_cast<const float4*>(a + (top + t / 2) * n + t % 2 * 4);
  const float4* from_b = reinterpret_cast<const float4*>(b + t / 32 * n + left + t % 32 * 4);
  float4 u[2], v[2];  // this thread's share of the next tiles
  float sum[8][8] = {}, of_a[2][8], of_b[2][8];
  for (int e = 0; e < 2; ++e) u[e] = from_a[2 * e], v[e] = from_b[e * 8 * n / 4];
  for (int first = 0, now = 0; first < n; first += kDeep, now = 1 - now) {
    for (int e = 0; e < 2; ++e) {
      const float turned[4] = {u[e].x, u[e].y, u[e].z, u[e].w};
      for (int i = 0; i < 4; ++i) as[now][8 * e + t % 2 * 4 + i][t / 2] = turned[i];
      *reinterpret_cast<float4*>(&bs[now][8 * e + t / 32][t % 32 * 4]) = v[e];
    }
    //! begin
    __syncthreads();  // the only one: the next phase stores into the other two tiles
    if (first + kDeep < n) {  // in flight while this phase multiplies
      for (int e = 0; e < 2; ++e) {
        u[e] = from_a[(first + kDeep) / 4 + 2 * e];
        v[e] = from_b[(first + kDeep + 8 * e) * n / 4];
      }
    }
#pragma unroll
    for (int k = -1; k < kDeep; ++k) {
      if (k + 1 < kDeep) {  // the operands of the next k, before this k multiplies
        const int next = (k + 1) % 2;
        *reinterpret_cast<float4*>(of_a[next]) = *reinterpret_cast<float4*>(&as[now][k + 1][row]);
        *reinterpret_cast<float4*>(of_a[next] + 4) = *reinterpret_cast<float4*>(&as[now][k + 1][row + 32]);
        *reinterpret_cast<float4*>(of_b[next]) = *reinterpret_cast<float4*>(&bs[now][k + 1][col]);
        *reinterpret_cast<float4*>(of_b[next] + 4) = *reinterpret_cast<float4*>(&bs[now][k + 1][col + 16]);
      }
      if (k < 0) continue;
      for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) sum[y][x] += of_a[k % 2][y] * of_b[k % 2][x];
      }
    }
    //! instead
    //! // One barrier, the loads of the next phase, and the multiplication: in which order? Each k takes 8 x 8 products;
    //! // load the operands of k + 1 before you multiply those of k.
    //! end
  }
  for (int y = 0; y < 8; ++y) {
    float* to = c + (top + row + y % 4 + y / 4 * 32) * n + left + col;
    *reinterpret_cast<float4*>(to) = make_float4(sum[y][0], sum[y][1], sum[y][2], sum[y][3]);
    *reinterpret_cast<float4*>(to + 16) = make_float4(sum[y][4], sum[y][5], sum[y][6], sum[y][7]);
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 128, n / 128), dim3(256)};
}
