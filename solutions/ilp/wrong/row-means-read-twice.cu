// The row is read once for the sum and once more for the difference.

constexpr int kRow = 1024;

__device__ float warp_sum(float v) {  // the sum of the 32 lanes, in each of them
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

constexpr int kThreads = 128, kEach = kRow / kThreads;

__global__ void __launch_bounds__(kThreads) centre(const float* in, float* out) {
  __shared__ float part[kThreads / 32];
  const float* row = in + blockIdx.x * kRow;
  float v[kEach], sum = 0.0f;
#pragma unroll
  for (int e = 0; e < kEach; ++e) v[e] = row[threadIdx.x + e * kThreads];
#pragma unroll
  for (int e = 0; e < kEach; ++e) sum += v[e];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0.0f;
  for (int w = 0; w < kThreads / 32; ++w) sum += part[w];
  float mean = sum / kRow;
#pragma unroll
  for (int e = 0; e < kEach; ++e) out[blockIdx.x * kRow + threadIdx.x + e * kThreads] = row[threadIdx.x + e * kThreads] - mean;
}

__host__ __device__ Launch launch(int rows) {
  return {dim3(rows), dim3(kThreads)};
}
