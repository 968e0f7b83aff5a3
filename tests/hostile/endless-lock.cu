// expect limit: a lock that nobody gives back
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int lock; if (threadIdx.x == 0) lock = 1; __syncthreads(); while (atomicCAS(&lock, 0, 1) != 0) {}
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
