// expect broken: a launch function without an end
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

__host__ __device__ Launch launch(int n) { volatile int x = n; while (x == n) {} return {dim3(x), dim3(256)}; }
