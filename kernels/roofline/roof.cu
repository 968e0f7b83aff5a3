// Reference: eight chains side by side, eight steps a turn.

constexpr int kEach = 8;

__global__ void peak(const float* in, float* out, float a, float b, int steps, int n) {
  int first = kEach * 128 * blockIdx.x + threadIdx.x;  // its numbers are 128 apart
  float x[kEach];
#pragma unroll
  for (int e = 0; e < kEach; ++e) x[e] = first + 128 * e < n ? in[first + 128 * e] : 0.0f;
  int s = 0;
  for (; s + 8 <= steps; s += 8) {
#pragma unroll
    for (int u = 0; u < 8; ++u) {
#pragma unroll
      for (int e = 0; e < kEach; ++e) x[e] = fmaf(x[e], a, b);
    }
  }
  for (; s < steps; ++s) {
#pragma unroll
    for (int e = 0; e < kEach; ++e) x[e] = fmaf(x[e], a, b);
  }
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    if (first + 128 * e < n) out[first + 128 * e] = x[e];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 128 * kEach - 1) / (128 * kEach)), dim3(128)};
}
