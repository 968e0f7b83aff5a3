// y = A x for a sparse matrix in slices of 32 rows. Slice s starts at number starts[s] and ends
// where the next one starts: number starts[s] + 32 k + l is element k of row 32 s + l. Rows shorter
// than the longest of their slice are filled up with zeros: value 0, any column.

__global__ void spmv(const int* starts, const int* columns, const float* values, const float* x,
                     float* y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  int end = starts[row / 32 + 1];
  float sum = 0.0f;
  int begin = starts[row / 32] + row % 32;
  for (int at = begin + 32 * lane; at < end; at += 1024) sum += values[at] * x[columns[at]];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0) y[row] = sum;
}

__host__ __device__ Launch launch(int rows) {
  return {dim3((rows + 7) / 8), dim3(256)};
}
