// Reference: one pass; what is in between stays in registers.

__global__ void energy(const float* a, const float* b, float* temp, float* out, int n) {
  int threads = gridDim.x * blockDim.x;
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = thread; i < n; i += threads) {
    float x = a[i], y = b[i];
    out[i] = 0.5f * (x * x + y * y);
  }
}

__host__ __device__ Launch launch(int n) {
  int blocks = (n + 511) / 512;
  return {dim3(blocks < 1056 ? blocks : 1056), dim3(256)};
}
