// y = A x for a sparse matrix in CSR, with rows of 8 to 40 nonzeros.

__global__ void spmv(const int* starts, const int* columns, const float* values, const float* x,
                     float* y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int end = starts[row + 1];
  float sum = 0.0f;
  for (int k = starts[row]; k < end; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}

__host__ __device__ Launch launch(int rows) {
  return {dim3((rows + 255) / 256), dim3(256)};
}
