// y = A x for a sparse matrix in CSR, with rows of 256 to 768 nonzeros.

// The sum of v over the 32 lanes of a warp. Every lane must call it; lane 0 gets the result.
__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

__global__ void spmv(const int* starts, const int* columns, const float* values, const float* x,
                     float* y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;  // all lanes of a warp have the same row
  int end = starts[row + 1];
  int each = (end - starts[row] + 31) / 32;
  int from = starts[row] + lane * each;
  int to = min(from + each, end);
  float sum = 0.0f;
  for (int k = from; k < to; ++k) sum += values[k] * x[columns[k]];
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}

__host__ __device__ Launch launch(int rows) {
  return {dim3((rows + 7) / 8), dim3(256)};  // eight warps per block, a row for each
}
