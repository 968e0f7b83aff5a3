// A row per thread: threads with equal digits meet in two banks.

__global__ void digits(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned count[256][16];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  for (int d = 0; d < 16; ++d) count[t][d] = 0;
  if (i >= n) return;
  for (int k = 0; k < 32; ++k) ++count[t][in[k * n + i] % 16];
  unsigned most = 0;
  for (int d = 0; d < 16; ++d) most = max(most, count[t][d]);
  out[i] = most;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
