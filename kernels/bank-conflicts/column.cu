// Reference: lane l begins its row at column l and goes round.

__global__ void group_sums(const unsigned* in, unsigned* sums, int rows, int cols) {
  __shared__ unsigned tile[32][32];
  int lane = threadIdx.x, left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int r = threadIdx.y; r < 32; r += 8) {
    bool inside = left + lane < cols && top + r < rows;
    tile[r][lane] = inside ? in[(top + r) * cols + left + lane] : 0;
  }
  __syncthreads();
  if (threadIdx.y > 0) return;
  unsigned sum = 0;
  for (int k = lane; k < lane + 32; ++k) sum += tile[lane][k & 31];
  if (top + lane < rows) sums[blockIdx.x * rows + top + lane] = sum;
}

__host__ __device__ Launch launch(int rows, int cols) {
  return {dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)};
}
