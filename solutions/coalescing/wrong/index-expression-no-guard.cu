// The guard is gone: blocks hang over the edges of the cube.

__global__ void fade(const float* in, const float* level, const float* mask, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  {
    int i = (z * n + y) * n + x;
    out[i] = in[i] * level[z] * mask[y * n + x];
  }
}

// Blocks of 32 × 4 × 2 threads over the cube.
__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 3) / 4, (n + 1) / 2), dim3(32, 4, 2)};
}
