// Adds up each row of a matrix in groups of 32 columns. A block brings a tile of 32 × 32 numbers
// into shared memory; then each lane of its first warp adds up one row of the tile.

__global__ void group_sums(const unsigned* in, unsigned* sums, int rows, int cols) {
  __shared__ unsigned tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32;
  for (int r = threadIdx.y; r < 32; r += 8) {
    tile[r][threadIdx.x] = x < cols && y + r < rows ? in[(y + r) * cols + x] : 0;
  }
  __syncthreads();
  if (threadIdx.y > 0) return;
  int lane = threadIdx.x;
  unsigned sum = 0;
  for (int k = 0; k < 32; ++k) {
    //! begin
    sum += tile[lane][(lane + k) % 32];
    //! instead
    //! sum += tile[lane][k];
    //! end
  }
  if (y + lane < rows) sums[blockIdx.x * rows + y + lane] = sum;
}

__host__ __device__ Launch launch(int rows, int cols) {
  return {dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)};
}
