// 1,024 threads per tile: only two blocks share an SM.

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[64][65];  // the 65th column is never used: it keeps the banks apart
  int left = blockIdx.x * 64;
  int top = blockIdx.y * 64;
  for (int r = threadIdx.y; r < 64; r += 16) {
    int x = left + threadIdx.x;
    int y = top + r;
    if (x < n && y < n) tile[r][threadIdx.x] = in[y * n + x];
  }
  __syncthreads();
  for (int r = threadIdx.y; r < 64; r += 16) {
    int x = top + threadIdx.x;
    int y = left + r;
    if (x < n && y < n) out[y * n + x] = tile[threadIdx.x][r];
  }
}

__host__ __device__ Launch launch(int n) {
  dim3 block(64, 16);
  return {dim3((n + 63) / 64, (n + 63) / 64), block};
}
