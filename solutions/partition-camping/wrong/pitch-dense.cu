// No gap: the tiles of a column lie in one partition.

// From the start of a row of the result to the start of the next, in floats.
__host__ __device__ int pitch_of(int n) {
  return n;
}

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) {
    if (x < n && y + r < n) tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * n + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) {
    if (x < n && y + r < n) out[(y + r) * pitch_of(n) + x] = tile[threadIdx.x][threadIdx.y + r];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 8)};
}
