// Right, but the lanes of a warp go down a column of the map.
__global__ void partition_map(int* map, int rows, int n) {
  int tiles = (n + 31) / 32;
  int tile = blockIdx.y;
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (tile >= tiles || row >= rows) return;
  int address = 4 * (row * n + 32 * tile);  // in bytes
  map[row * tiles + tile] = address / 256 % 8;
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3((rows + 31) / 32, (n + 31) / 32), dim3(32)};
}
