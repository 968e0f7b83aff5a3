// Reference: through a padded tile.
__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = 32 * blockIdx.x + threadIdx.x, y = 32 * blockIdx.y;
  for (int r = threadIdx.y; r < 32; r += 8) tile[r][threadIdx.x] = in[(y + r) * n + x];
  __syncthreads();
  x = 32 * blockIdx.y + threadIdx.x, y = 32 * blockIdx.x;
  for (int r = threadIdx.y; r < 32; r += 8) out[(y + r) * n + x] = tile[threadIdx.x][r];
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 32, n / 32), dim3(32, 8)};
}
