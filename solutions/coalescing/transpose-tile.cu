// Transposes a matrix of n × n elements. A block of 32 × 8 threads does a tile of 32 × 32 elements.

__global__ void transpose(const float* in, float* out, int n) {
  //! begin
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) {
    if (x < n && y + r < n) tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * n + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) {
    if (x < n && y + r < n) out[(y + r) * n + x] = tile[threadIdx.x][threadIdx.y + r];
  }
  //! instead
  //! // Your kernel. Its launch is below: one block per tile of 32 × 32 elements.
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 8)};
}
