// One element at a time, squared by a function that is called: it needs its argument, so each load is waited for.

__device__ __noinline__ float squared(float v) { return v * v; }

__global__ void square(const float* in, float* out, int n) {
  int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) out[i] = squared(in[i]);
}

__host__ __device__ Launch launch(int n) {
  int blocks = (n + 255) / 256;
  return {dim3(blocks < 264 ? blocks : 264), dim3(256)};
}
