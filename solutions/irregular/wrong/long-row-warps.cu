// y = A x for a sparse matrix in CSR. Rows have 5 to 7 nonzeros; one row in 2,048 has 6,000 more.

// The sum of v over the 32 lanes of a warp. Every lane must call it; lane 0 gets the result.
__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

__global__ void spmv(const int* starts, const int* columns, const float* values, const float* x,
                     float* y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  int end = starts[row + 1];
  float sum = 0.0f;
  for (int k = starts[row] + threadIdx.x % 32; k < end; k += 32) sum += values[k] * x[columns[k]];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) y[row] = sum;
}

__host__ __device__ Launch launch(int rows) {
  return {dim3((rows + 7) / 8), dim3(256)};
}
