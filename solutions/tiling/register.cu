// C = A × B for matrices of n × n floats; n is a multiple of 32. A block makes a tile of 32 × 32
// elements of C.

__global__ void product(const float* a, const float* b, float* c, int n) {
  //! begin
  __shared__ float as[32][32], bs[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int col = blockIdx.x * 32 + tx;
  int top = blockIdx.y * 32;
  float sum[4] = {};  // of rows ty, ty + 8, ty + 16 and ty + 24
  for (int t = 0; t < n; t += 32) {
    for (int r = ty; r < 32; r += 8) {
      as[r][tx] = a[(top + r) * n + t + tx];
      bs[r][tx] = b[(t + r) * n + col];
    }
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      float right = bs[k][tx];
      for (int w = 0; w < 4; ++w) sum[w] += as[ty + 8 * w][k] * right;
    }
    __syncthreads();
  }
  for (int w = 0; w < 4; ++w) c[(top + ty + 8 * w) * n + col] = sum[w];
  //! instead
  //!
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 32, n / 32), dim3(32, 8)};
}
