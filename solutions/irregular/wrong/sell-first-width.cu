// y = A x for a sparse matrix in slices of 32 rows. Slice s starts at number starts[s] and ends
// where the next one starts: number starts[s] + 32 k + l is element k of row 32 s + l. Rows shorter
// than the longest of their slice are filled up with zeros: value 0, any column.

__global__ void spmv(const int* starts, const int* columns, const float* values, const float* x,
                     float* y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int width = starts[1] / 32;
  float sum = 0.0f;
  for (int k = 0; k < width; ++k) {
    int at = 32 * width * (row / 32) + 32 * k + row % 32;
    sum += values[at] * x[columns[at]];
  }
  y[row] = sum;
}

__host__ __device__ Launch launch(int rows) {
  return {dim3((rows + 255) / 256), dim3(256)};
}
