// Reference: in each phase the block brings one tile of each matrix and uses it 16 times.

__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float left[256], right[256];
  int x = threadIdx.x, y = threadIdx.y, own = 16 * y + x;
  const float* a_row = a + (blockIdx.y * 16 + y) * n + x;
  const float* b_column = b + y * n + blockIdx.x * 16 + x;
  float sum = 0.0f;
  for (int phase = 0; phase < n / 16; ++phase) {
    left[own] = a_row[16 * phase];
    right[own] = b_column[16 * phase * n];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[16 * y + k] * right[16 * k + x];
    __syncthreads();
  }
  c[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 16, n / 16), dim3(16, 16)};
}
