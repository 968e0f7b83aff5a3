// Eight elements per thread: eight loads are in flight before the
// first is waited for.

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int i = blockIdx.x * 32 + threadIdx.x;
  int j = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int k = 0; k < 32; k += 4) {
    if (i < n && j + k < n) {
      tile[threadIdx.y + k][threadIdx.x] = in[(j + k) * n + i];
    }
  }
  __syncthreads();

  i = blockIdx.y * 32 + threadIdx.x;
  j = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int k = 0; k < 32; k += 4) {
    if (i < n && j + k < n) {
      out[(j + k) * n + i] = tile[threadIdx.x][threadIdx.y + k];
    }
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 4)};
}
