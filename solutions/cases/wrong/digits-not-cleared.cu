// The counters are never set to zero.

__global__ void digits(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned count[16][256];  // a column per thread: its bank is the lane, whatever the digit
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (i >= n) return;
  for (int k = 0; k < 32; ++k) ++count[in[k * n + i] % 16][t];
  unsigned most = 0;
  for (int d = 0; d < 16; ++d) most = max(most, count[d][t]);
  out[i] = most;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
