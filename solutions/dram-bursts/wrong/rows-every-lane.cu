// Each lane walks through a run of its own: the rows stay open, but the warps are scattered.

__global__ void twice(const float* in, float* out, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  int run = (n + threads - 1) / threads;
  for (int i = thread * run; i < min((thread + 1) * run, n); ++i) out[i] = 2.0f * in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3(30), dim3(256)};
}
