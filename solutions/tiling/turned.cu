// C = A × B for matrices of n × n floats; n is a multiple of 32. A block makes a tile of 32 × 32
// elements of C, a thread four elements of one column.

__global__ void product(const float* a, const float* b, float* c, int n) {
  //! begin
  __shared__ __align__(16) float as[32][32], bs[32][36];  // bs[column][k]: turned
  //! instead
  //! __shared__ __align__(16) float as[32][32], bs[32][32];  // bs[k][column]
  //! end
  int tx = threadIdx.x, ty = threadIdx.y;
  int col = blockIdx.x * 32 + tx;
  int top = blockIdx.y * 32;
  float sum[4] = {};  // of rows ty, ty + 8, ty + 16 and ty + 24
  for (int t = 0; t < n; t += 32) {
    for (int r = ty; r < 32; r += 8) {
      as[r][tx] = a[(top + r) * n + t + tx];
      //! begin
      bs[tx][r] = b[(t + r) * n + col];
      //! instead
      //! bs[r][tx] = b[(t + r) * n + col];
      //! end
    }
    __syncthreads();
    for (int k = 0; k < 32; k += 4) {  // four at a time: as[…][k] to as[…][k + 3] are one access
      //! begin
      const float4 right = *reinterpret_cast<float4*>(&bs[tx][k]);
      //! instead
      //! const float4 right = {bs[k][tx], bs[k + 1][tx], bs[k + 2][tx], bs[k + 3][tx]};
      //! end
      for (int w = 0; w < 4; ++w) {
        const float4 left = *reinterpret_cast<float4*>(&as[ty + 8 * w][k]);
        sum[w] += left.x * right.x;
        sum[w] += left.y * right.y;
        sum[w] += left.z * right.z;
        sum[w] += left.w * right.w;
      }
    }
    __syncthreads();
  }
  for (int w = 0; w < 4; ++w) c[(top + ty + 8 * w) * n + col] = sum[w];
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 32, n / 32), dim3(32, 8)};
}
