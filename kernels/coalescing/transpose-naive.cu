// Reference: coalesced writes, strided reads.

__global__ void transpose(const float* in, float* out, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= n || row >= n) return;
  out[row * n + column] = in[column * n + row];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)};
}
