// Reference: a warp for each band, along its rows.

__global__ void band_sums(const unsigned* in, unsigned* out, int rows, int n) {
  int first = 8 * blockIdx.x;
  unsigned sum = 0;
  for (int row = first; row < min(first + 8, rows); ++row)
    for (int column = threadIdx.x; column < n; column += 32) sum += in[row * n + column];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3((rows + 7) / 8), dim3(32)};
}
