// A filter of 32 taps: out[i] is the sum of weight[k] in[i + k]. `in` has 31 elements more than
// `out`. A block makes 1,024 outputs with 256 threads.

constexpr int kTaps = 32, kOutputs = 1024;

__global__ void filter(const float* in, const float* weight, float* out, int n) {
  __shared__ __align__(16) float w[kTaps], part[kOutputs + kTaps];
  int t = threadIdx.x, first = kOutputs * blockIdx.x;
  if (t < kTaps) w[t] = weight[t];
  for (int k = t; k < kOutputs + kTaps; k += 256) {
    part[k] = first + k < n + kTaps - 1 ? in[first + k] : 0.0f;
  }
  __syncthreads();
  //! begin
  float sum[4] = {};  // outputs 4t, 4t + 1, 4t + 2 and 4t + 3 of the block
  float4 low = *reinterpret_cast<float4*>(part + 4 * t);
#pragma unroll
  for (int k = 0; k < kTaps; k += 4) {
    float4 high = *reinterpret_cast<float4*>(part + 4 * t + k + 4);
    float4 four = *reinterpret_cast<float4*>(w + k);
    float v[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
    float u[4] = {four.x, four.y, four.z, four.w};
    for (int j = 0; j < 4; ++j) {
      for (int e = 0; e < 4; ++e) sum[e] = fmaf(u[j], v[e + j], sum[e]);
    }
    low = high;
  }
  //! instead
  //! float sum[4] = {};  // outputs 4t, 4t + 1, 4t + 2 and 4t + 3 of the block
  //! // Add the products of all taps.
  //! end
  for (int e = 0; e < 4; ++e) {
    if (first + 4 * t + e < n) out[first + 4 * t + e] = sum[e];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + kOutputs - 1) / kOutputs), dim3(256)};
}
