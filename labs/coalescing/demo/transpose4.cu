// One unused column moves each row of the tile by a bank.

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int i = blockIdx.x * 32 + threadIdx.x;
  int j = blockIdx.y * 32 + threadIdx.y;
  if (i < n && j < n) {
    tile[threadIdx.y][threadIdx.x] = in[j * n + i];
  }
  __syncthreads();

  i = blockIdx.y * 32 + threadIdx.x;
  j = blockIdx.x * 32 + threadIdx.y;
  if (i < n && j < n) {
    out[j * n + i] = tile[threadIdx.x][threadIdx.y];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 32)};
}
