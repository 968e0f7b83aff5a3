// One chain after the other, each cut into pieces by a word of shared memory.
__global__ void settle(const float* c, float* out, int n, int steps) {
  __shared__ volatile float keep[256];
  int first = 1024 * blockIdx.x + threadIdx.x;
  float half[4], x[4] = {};
  for (int e = 0; e < 4; ++e) half[e] = first + 256 * e < n ? 0.5f * c[first + 256 * e] : 0.0f;
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    float y = x[e];
#pragma unroll 16
    for (int s = 0; s < steps; ++s) {
      y = fmaf(0.5f * y, y, half[e]);
      if (s % 2 == 1) {
        keep[threadIdx.x] = y;
        y = keep[threadIdx.x];
      }
    }
    x[e] = y;
  }
  for (int e = 0; e < 4; ++e)
    if (first + 256 * e < n) out[first + 256 * e] = x[e];
}
__host__ __device__ Launch launch(int n) { return {dim3((n + 1023) / 1024), dim3(256)}; }
