// Threads past the end load what does not exist.

__global__ void blend(const float* a, const float* b, float* out, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], y = b[i];
  out[i] = x + y;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
