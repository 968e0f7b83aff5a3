// Takes each row of tiles from its end.

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int by = blockIdx.y;
  int bx = gridDim.x - 1 - blockIdx.x;
  int x = bx * 32 + threadIdx.x;
  int y = by * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) {
    if (x < n && y + r < n) tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * n + x];
  }
  __syncthreads();
  x = by * 32 + threadIdx.x;
  y = bx * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) {
    if (x < n && y + r < n) out[(y + r) * n + x] = tile[threadIdx.x][threadIdx.y + r];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 8)};
}
