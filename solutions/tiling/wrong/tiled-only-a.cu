// Only A goes through a tile; B is still read for each product.

__global__ void product(const float* a, const float* b, float* c, int n) {
  int tx = threadIdx.x, ty = threadIdx.y;
  int col = blockIdx.x * 16 + tx;
  int row = blockIdx.y * 16 + ty;
  __shared__ float as[16][16];
  float sum = 0.0f;
  for (int t = 0; t < n; t += 16) {
    as[ty][tx] = a[row * n + t + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * b[(t + k) * n + col];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 16, n / 16), dim3(16, 16)};
}
