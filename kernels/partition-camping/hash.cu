// Reference: exclusive or of all digits of the block's number, three bits each.

__global__ void hash_map(int* map, int rows, int n) {
  int tiles = (n + 31) / 32;
  int tile = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y;
  if (tile >= tiles) return;
  unsigned digits = (row * n + tile * 32) / 64;
  unsigned fold = 0;
  for (int bit = 0; bit < 32; bit += 3) fold ^= digits >> bit & 7;
  map[row * tiles + tile] = fold;
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3(((n + 31) / 32 + 31) / 32, rows), dim3(32)};
}
