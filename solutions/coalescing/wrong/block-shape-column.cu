// Blocks of 1 × 128: a warp is a column of 32 pixels, each in a sector of its own.

__global__ void negative(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = 1.0f - in[y * n + x];
}

__host__ __device__ Launch launch(int n) {
  dim3 block(1, 128);
  dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
  return {grid, block};
}
