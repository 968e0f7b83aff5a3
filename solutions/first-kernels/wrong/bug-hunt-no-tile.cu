// Wrong: no tile any more. Each thread reads all 33 elements from global memory.

__global__ void mean(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = i - 16; k <= i + 16; ++k) sum += k >= 0 && k < n ? in[k] : 0.0f;
  out[i] = sum / 33.0f;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
