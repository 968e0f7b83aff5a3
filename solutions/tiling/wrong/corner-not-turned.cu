// Read as it lies, and used as if B came row by row.

__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][17];  // bs[x][k]: row x of the tile is a column of B
  int tx = threadIdx.x, ty = threadIdx.y;
  int left = blockIdx.x * 16;
  int row = blockIdx.y * 16 + ty;
  float sum = 0.0f;
  for (int t = 0; t < n; t += 16) {
    as[ty][tx] = a[row * n + t + tx];
    bs[ty][tx] = b[(left + ty) * n + t + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + left + tx] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 16, n / 16), dim3(16, 16)};
}
