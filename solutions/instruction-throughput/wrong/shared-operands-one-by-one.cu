// The window is read word by word, and four words apart from lane to lane: bank conflicts.

constexpr int kTaps = 32, kOutputs = 1024;

__global__ void filter(const float* in, const float* weight, float* out, int n) {
  __shared__ __align__(16) float w[kTaps], part[kOutputs + kTaps];
  int t = threadIdx.x, first = kOutputs * blockIdx.x;
  if (t < kTaps) w[t] = weight[t];
  for (int k = t; k < kOutputs + kTaps; k += 256) {
    part[k] = first + k < n + kTaps - 1 ? in[first + k] : 0.0f;
  }
  __syncthreads();
  float sum[4] = {};  // outputs 4t, 4t + 1, 4t + 2 and 4t + 3 of the block
  const volatile float* window = part + 4 * t;
#pragma unroll
  for (int k = 0; k < kTaps; ++k) {
    for (int e = 0; e < 4; ++e) sum[e] = fmaf(w[k], window[k + e], sum[e]);
  }
  for (int e = 0; e < 4; ++e) {
    if (first + 4 * t + e < n) out[first + 4 * t + e] = sum[e];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + kOutputs - 1) / kOutputs), dim3(256)};
}
