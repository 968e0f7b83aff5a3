// The partition in which each piece of 32 floats of a matrix begins. GTX 280: eight partitions of
// 256 bytes. The matrix begins at address 0 and has rows of n floats.

__global__ void partition_map(int* map, int rows, int n) {
  int tiles = (n + 31) / 32;  // pieces of 32 floats in a row
  int tile = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y;
  if (tile >= tiles || row >= rows) return;
  //! begin
  int address = 4 * (row * n + 32 * tile);  // in bytes
  map[row * tiles + tile] = address / 256 % 8;
  //! instead
  //! map[row * tiles + tile] = tile / 2 % 8;
  //! end
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3(((n + 31) / 32 + 31) / 32, rows), dim3(32)};
}
