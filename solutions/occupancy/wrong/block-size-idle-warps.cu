// Two warps a block fill the SM, but the second one has nothing to do.

__global__ void mix(const float* a, const float* b, float* out, int n) {
  if (threadIdx.x >= 32) return;
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n) out[i] = 0.75f * a[i] + 0.25f * b[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32), dim3(64)};
}
