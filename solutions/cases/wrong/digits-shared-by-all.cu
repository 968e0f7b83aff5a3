// All threads of a block count in the same 16 counters.

__global__ void digits(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned count[16][1];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  for (int d = 0; d < 16; ++d) count[d][0] = 0;
  if (i >= n) return;
  for (int k = 0; k < 32; ++k) ++count[in[k * n + i] % 16][0];
  unsigned most = 0;
  for (int d = 0; d < 16; ++d) most = max(most, count[d][0]);
  out[i] = most;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
