// Reference: blocks of 32 × 8 threads, so that a warp is 32 neighbours of one row.

__global__ void negative(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  out[y * n + x] = 1.0f - in[y * n + x];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)};
}
