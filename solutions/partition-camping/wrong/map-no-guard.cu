// Threads past the end of a row write into the next one, and past the map.
__global__ void partition_map(int* map, int rows, int n) {
  int tiles = (n + 31) / 32;
  int tile = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y;
  int address = 4 * (row * n + 32 * tile);  // in bytes
  map[row * tiles + tile] = address / 256 % 8;
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3(((n + 31) / 32 + 31) / 32, rows), dim3(32)};
}
