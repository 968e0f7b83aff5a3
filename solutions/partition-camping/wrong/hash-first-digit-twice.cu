// Begins with the block instead of its turn: the partition cancels itself out.

__global__ void hash_map(int* map, int rows, int n) {
  int tiles = (n + 31) / 32;
  int tile = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y;
  if (tile >= tiles || row >= rows) return;
  int block = (row * n + 32 * tile) / 64;  // which 256 bytes of the matrix
  int partition = block % 8;
  for (int turn = block; turn != 0; turn /= 8) partition ^= turn % 8;
  map[row * tiles + tile] = partition;
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3(((n + 31) / 32 + 31) / 32, rows), dim3(32)};
}
