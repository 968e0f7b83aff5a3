// The arithmetic is still done; only its result is not stored.

__global__ void blend(const float* a, const float* b, float* out, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = a[i], y = b[i];
  float z = x;
  for (int s = 0; s < steps; ++s) z = fmaf(z, y, 0.25f);
  out[i] = x + y + (z > 1e30f ? z : 0.0f);
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
