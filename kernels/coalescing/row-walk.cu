// Reference: row y of a block's threads is one warp, and walks along one row of the matrix. The parts
// are exchanged in pairs, so that every lane ends up with the sum.

__global__ void row_sums(const unsigned* matrix, unsigned* sums, int rows, int cols) {
  int row = blockIdx.x * 8 + threadIdx.y;
  unsigned sum = 0;
  if (row < rows) {
    for (int c = threadIdx.x; c < cols; c += 32) sum += matrix[row * cols + c];
  }
  for (int mask = 1; mask < 32; mask *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  if (row < rows && threadIdx.x == 0) sums[row] = sum;
}

__host__ __device__ Launch launch(int rows) {
  return {dim3((rows + 7) / 8), dim3(32, 8)};
}
