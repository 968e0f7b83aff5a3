// Width and height of the block are swapped in the grid: rows are missing at the bottom.

__global__ void negative(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = 1.0f - in[y * n + x];
}

__host__ __device__ Launch launch(int n) {
  dim3 block(32, 8);
  dim3 grid((n + block.y - 1) / block.y, (n + block.x - 1) / block.x);
  return {grid, block};
}
