// A fixed number of turns for every thread, without a test.

__global__ void twice(const float* in, float* out, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  for (int turn = 0; turn <= n / threads; ++turn) {
    int i = turn * threads + thread;
    out[i] = 2.0f * in[i];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(30), dim3(256)};
}
