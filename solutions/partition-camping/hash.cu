// The map of step 2 for a chip that folds the number of the turn into the partition.

__global__ void hash_map(int* map, int rows, int n) {
  int tiles = (n + 31) / 32;
  int tile = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y;
  if (tile >= tiles || row >= rows) return;
  int block = (row * n + 32 * tile) / 64;  // which 256 bytes of the matrix
  int partition = block % 8;
  //! begin
  for (int turn = block / 8; turn != 0; turn /= 8) partition ^= turn % 8;
  //! end
  map[row * tiles + tile] = partition;
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3(((n + 31) / 32 + 31) / 32, rows), dim3(32)};
}
