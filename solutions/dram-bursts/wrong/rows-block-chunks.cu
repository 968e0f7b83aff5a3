// The warps of a block work side by side, the blocks do not.

__global__ void twice(const float* in, float* out, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  int chunk = (n + threads - 1) / threads * blockDim.x;
  int first = blockIdx.x * chunk;
  for (int i = first + threadIdx.x; i < min(first + chunk, n); i += blockDim.x) {
    out[i] = 2.0f * in[i];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(30), dim3(256)};
}
