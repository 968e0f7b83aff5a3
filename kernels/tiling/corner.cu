// Reference: the tile of B is read as it lies, and its rows are 17 words apart.

__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float rows[16][16], columns[16 * 17];
  int x = threadIdx.x, y = threadIdx.y;
  const float* a_row = a + (blockIdx.y * 16 + y) * n;
  const float* b_column = b + (blockIdx.x * 16 + y) * n;
  float sum = 0.0f;
  for (int first = 0; first < n; first += 16) {
    rows[y][x] = a_row[first + x];
    columns[17 * y + x] = b_column[first + x];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += rows[y][k] * columns[17 * x + k];
    __syncthreads();
  }
  c[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 16, n / 16), dim3(16, 16)};
}
