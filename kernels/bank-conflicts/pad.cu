// Reference: rows of 32 elements, 33 words apart.

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32 * 33];
  int left = blockIdx.x * 32, top = blockIdx.y * 32, lane = threadIdx.x;
  for (int row = threadIdx.y; row < 32; row += 8) {
    if (left + lane < n && top + row < n) tile[33 * row + lane] = in[(top + row) * n + left + lane];
  }
  __syncthreads();
  for (int column = threadIdx.y; column < 32; column += 8) {
    if (top + lane < n && left + column < n) {
      out[(left + column) * n + top + lane] = tile[33 * lane + column];
    }
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 8)};
}
