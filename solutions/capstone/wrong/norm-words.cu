// Keeps the row in registers, but loads it word by word.
__device__ float added_over_block(float mine, float* of_warp) {
  for (int step = 16; step; step /= 2) mine += __shfl_xor_sync(~0u, mine, step);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  float sum = 0.0f;
  for (int w = 0; w < 8; ++w) sum += of_warp[w];
  return sum;
}

__global__ void norm(const float* in, const float* scale, const float* shift, float* out, int n) {
  __shared__ float of_warp[2][8];
  const int t = threadIdx.x, row = blockIdx.x * n;
  float v[32], sum = 0.0f, squares = 0.0f;
#pragma unroll
  for (int e = 0; e < 32; ++e) v[e] = 256 * e < n ? in[row + t + 256 * e] : 0.0f;
#pragma unroll
  for (int e = 0; e < 32; ++e) sum += v[e];
  const float mean = added_over_block(sum, of_warp[0]) / n;
#pragma unroll
  for (int e = 0; e < 32; ++e) {
    if (256 * e < n) squares += (v[e] - mean) * (v[e] - mean);
  }
  const float one = rsqrtf(added_over_block(squares, of_warp[1]) / n + 1e-5f);
#pragma unroll
  for (int e = 0; e < 32; ++e) {
    const int i = t + 256 * e;
    if (256 * e < n) out[row + i] = (v[e] - mean) * one * scale[i] + shift[i];
  }
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3(rows), dim3(256)};
}
