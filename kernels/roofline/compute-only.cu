// Reference: the arithmetic of the kernel, without its traffic.

__global__ void blend(const float* a, const float* b, float* out, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = 0.001f * threadIdx.x, y = 0.5f;
  for (int s = 0; s < steps; ++s) x = fmaf(x, y, 0.25f);
  if (x == 12345.0f) out[i] = x;  // never: but the compiler does not know
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
