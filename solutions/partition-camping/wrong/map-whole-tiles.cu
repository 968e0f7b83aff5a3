// Takes every row to be as long as its whole tiles: wrong where n is no multiple of 32.

__global__ void partition_map(int* map, int rows, int n) {
  int tiles = (n + 31) / 32;  // pieces of 32 floats in a row
  int tile = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y;
  if (tile >= tiles || row >= rows) return;
  int address = 4 * (32 * (row * tiles + tile));  // in bytes
  map[row * tiles + tile] = address / 256 % 8;
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3(((n + 31) / 32 + 31) / 32, rows), dim3(32)};
}
