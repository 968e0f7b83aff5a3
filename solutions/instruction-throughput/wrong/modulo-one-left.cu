// The last remainder is still there.

__global__ void lay(const float* in, const float* table, float* out, int width, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int shift = __ffs(width) - 1;  // width = 1 << shift
  int row = i >> shift;
  int column = i & (width - 1);
  out[i] = in[i] + table[(row + column) % width];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
