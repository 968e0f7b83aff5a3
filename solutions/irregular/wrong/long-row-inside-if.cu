// y = A x for a sparse matrix in CSR. Rows have 5 to 7 nonzeros; one row in 2,048 has 6,000 more.

// The sum of v over the 32 lanes of a warp. Every lane must call it; lane 0 gets the result.
__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

__global__ void spmv(const int* starts, const int* columns, const float* values, const float* x,
                     float* y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int begin = row < rows ? starts[row] : 0;
  int end = row < rows ? starts[row + 1] : 0;
  bool is_long = end - begin > 32;
  float sum = 0.0f;
  if (!is_long) {
    for (int k = begin; k < end; ++k) sum += values[k] * x[columns[k]];
  }
  unsigned waiting = 0;
  if (is_long) waiting = __ballot_sync(0xffffffffu, true);
  while (waiting) {
    int owner = __ffs(waiting) - 1;
    int from = __shfl_sync(0xffffffffu, begin, owner);
    int to = __shfl_sync(0xffffffffu, end, owner);
    float part = 0.0f;
    for (int k = from + threadIdx.x % 32; k < to; k += 32) part += values[k] * x[columns[k]];
    part = __shfl_sync(0xffffffffu, warp_sum(part), 0);
    if (threadIdx.x % 32 == owner) sum = part;
    waiting &= waiting - 1;  // this row is done
  }
  if (row < rows) y[row] = sum;
}

__host__ __device__ Launch launch(int rows) {
  return {dim3((rows + 255) / 256), dim3(256)};
}
