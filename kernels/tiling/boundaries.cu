// Reference: what lies outside a matrix counts as 0.

__device__ float at(const float* m, int height, int width, int y, int x) {
  return y < height && x < width ? m[y * width + x] : 0.0f;
}

__global__ void product(const float* a, const float* b, float* c, int rows, int inner, int cols) {
  __shared__ float left[16][16], right[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float sum = 0.0f;
  int phases = (inner + 15) / 16;
  for (int phase = 0; phase < phases; ++phase) {
    left[y][x] = at(a, rows, inner, row, 16 * phase + x);
    right[y][x] = at(b, inner, cols, 16 * phase + y, col);
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  if (row < rows && col < cols) c[row * cols + col] = sum;
}

__host__ __device__ Launch launch(int rows, int cols) {
  return {dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)};
}
