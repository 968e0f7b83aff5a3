// Reference: where each piece of 32 floats begins, counted in blocks of 64 floats.

__global__ void partition_map(int* map, int rows, int n) {
  int tiles = (n + 31) / 32;
  int tile = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y;
  if (tile < tiles) map[row * tiles + tile] = (row * n + tile * 32) / 64 % 8;
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3(((n + 31) / 32 + 31) / 32, rows), dim3(32)};
}
