// One thread per row: neighbouring lanes read a whole row apart.

// The sum of v over the 32 lanes of a warp. Every lane must call it; lane 0 gets the result.
__device__ unsigned warp_sum(unsigned v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

__global__ void row_sums(const unsigned* matrix, unsigned* sums, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    unsigned sum = 0;
    for (int c = 0; c < cols; ++c) sum += matrix[row * cols + c];
    sums[row] = sum;
  }
}

__host__ __device__ Launch launch(int rows) {
  return {dim3((rows + 127) / 128), dim3(128)};
}
