// expect failed: stores at large distances
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (long long d = 1; d < (1ll << 46); d *= 2) out[d + i] = 0;
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
