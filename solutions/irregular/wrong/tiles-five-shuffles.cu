// y = A x for a sparse matrix in CSR, with rows of 8 to 40 nonzeros.

__global__ void spmv(const int* starts, const int* columns, const float* values, const float* x,
                     float* y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 4;
  int lane = threadIdx.x % 4;
  if (row >= rows) return;  // all lanes of a tile have the same row
  int end = starts[row + 1];
  float sum = 0.0f;
  for (int k = starts[row] + lane; k < end; k += 4) sum += values[k] * x[columns[k]];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0) y[row] = sum;
}

__host__ __device__ Launch launch(int rows) {
  return {dim3((rows + 63) / 64), dim3(256)};  // 64 rows per block, four lanes for each
}
