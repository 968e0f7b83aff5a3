// The loops over the array are not unrolled, so it is in local memory.

constexpr float kLowest = -3.4e38f;  // below every number here; less any of them, its exponential is 0

__global__ void softmax(const float* in, float* out, int n) {
  __shared__ float most_of[8], sum_of[8];
  const int t = threadIdx.x, row = blockIdx.x * n;
  float v[32];  // the block's row, 32 elements per thread
  float most = kLowest, sum = 0.0f;
#pragma unroll 1
  for (int e = 0; e < 32; ++e) {
    const int i = t + 256 * e;
    v[e] = i < n ? in[row + i] : kLowest;
  }
#pragma unroll 1
  for (int e = 0; e < 32; ++e) most = fmaxf(most, v[e]);
  for (int step = 16; step; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  if (t % 32 == 0) most_of[t / 32] = most;
  __syncthreads();
  for (int w = 0; w < 8; ++w) most = fmaxf(most, most_of[w]);
#pragma unroll 1
  for (int e = 0; e < 32; ++e) {
    v[e] = __expf(v[e] - most);  // 0 beyond the end of the row
    sum += v[e];
  }
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (t % 32 == 0) sum_of[t / 32] = sum;
  __syncthreads();
  sum = 0.0f;
  for (int w = 0; w < 8; ++w) sum += sum_of[w];
  const float one = 1.0f / sum;
#pragma unroll 1
  for (int e = 0; e < 32; ++e) {
    const int i = t + 256 * e;
    if (i < n) out[row + i] = v[e] * one;
  }
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3(rows), dim3(256)};
}
