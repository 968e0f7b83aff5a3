// Steps over the other warps, but never comes back for more.

__global__ void twice(const float* in, float* out, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  int i = thread;
  if (i < n) out[i] = 2.0f * in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3(30), dim3(256)};
}
