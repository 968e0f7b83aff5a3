// The results are stored without a guard.

__global__ void settle(const float* c, float* out, int n, int steps) {
  int first = 1024 * blockIdx.x + threadIdx.x;
  float half[4], x[4] = {};
  for (int e = 0; e < 4; ++e) half[e] = first + 256 * e < n ? 0.5f * c[first + 256 * e] : 0.0f;
#pragma unroll 8
  for (int s = 0; s < steps; ++s) {
#pragma unroll
    for (int e = 0; e < 4; ++e) x[e] = fmaf(0.5f * x[e], x[e], half[e]);
  }
  for (int e = 0; e < 4; ++e) {
    out[first + 256 * e] = x[e];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 1023) / 1024), dim3(256)};
}
