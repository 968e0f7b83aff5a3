// One output at a time: every product loads its element from shared memory.

constexpr int kTaps = 32, kOutputs = 1024;

__global__ void filter(const float* in, const float* weight, float* out, int n) {
  __shared__ __align__(16) float w[kTaps], part[kOutputs + kTaps];
  int t = threadIdx.x, first = kOutputs * blockIdx.x;
  if (t < kTaps) w[t] = weight[t];
  for (int k = t; k < kOutputs + kTaps; k += 256) {
    part[k] = first + k < n + kTaps - 1 ? in[first + k] : 0.0f;
  }
  __syncthreads();
#pragma unroll 1
  for (int e = 0; e < 4; ++e) {  // outputs t, t + 256, t + 512 and t + 768 of the block
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < kTaps; ++k) sum = fmaf(w[k], part[t + 256 * e + k], sum);
    if (first + t + 256 * e < n) out[first + t + 256 * e] = sum;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + kOutputs - 1) / kOutputs), dim3(256)};
}
