// One result per thread: two operands from shared memory for each product.

__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float as[32][32], bs[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int col = blockIdx.x * 32 + tx;
  int top = blockIdx.y * 32;
  float sum = 0.0f;
  for (int t = 0; t < n; t += 32) {
    as[ty][tx] = a[(top + ty) * n + t + tx];
    bs[ty][tx] = b[(t + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[(top + ty) * n + col] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 32, n / 32), dim3(32, 32)};
}
