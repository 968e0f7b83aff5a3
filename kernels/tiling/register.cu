// Reference: a thread makes four elements of a column of C, eight rows apart.

__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float left[32][32], right[32][32];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32 + x, top = blockIdx.y * 32;
  float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
  for (int first = 0; first < n; first += 32) {
    for (int r = y; r < 32; r += 8) {
      left[r][x] = a[(top + r) * n + first + x];
      right[r][x] = b[(first + r) * n + column];
    }
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      float v = right[k][x];
      s0 += left[y][k] * v;
      s1 += left[y + 8][k] * v;
      s2 += left[y + 16][k] * v;
      s3 += left[y + 24][k] * v;
    }
    __syncthreads();
  }
  float* out = c + (top + y) * n + column;
  out[0] = s0;
  out[8 * n] = s1;
  out[16 * n] = s2;
  out[24 * n] = s3;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 32, n / 32), dim3(32, 8)};
}
