// Full occupancy without a tile: the loads are strided again.

__global__ void transpose(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = in[x * n + y];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 63) / 64, (n + 7) / 8), dim3(64, 8)};
}
