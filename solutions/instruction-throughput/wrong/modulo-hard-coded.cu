// The width of the first size is written into the kernel: shifts, but for one width only.

__global__ void lay(const float* in, const float* table, float* out, int width, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int shift = 6;
  int row = i >> shift;
  int column = i & 63;
  out[i] = in[i] + table[(row + column) & 63];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
