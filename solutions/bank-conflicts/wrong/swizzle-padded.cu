// A padded tile: no conflicts, but more shared memory than allowed.

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32;
  for (int row = threadIdx.y; row < 32; row += 8) {
    if (x < n && y + row < n) {
      tile[row][threadIdx.x] = in[(y + row) * n + x];
    }
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32;
  for (int column = threadIdx.y; column < 32; column += 8) {
    if (x < n && y + column < n) {
      out[(y + column) * n + x] = tile[threadIdx.x][column];
    }
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 8)};
}
