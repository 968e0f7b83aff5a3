// expect limit: half of the threads wait
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i]; if (threadIdx.x < 16) __syncthreads(); else while (*(volatile const float*)in != 7) {}
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
