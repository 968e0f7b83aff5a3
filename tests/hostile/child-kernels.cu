// expect broken,failed: kernels that start kernels
__global__ void other() {}
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  other<<<1, 1>>>();
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
