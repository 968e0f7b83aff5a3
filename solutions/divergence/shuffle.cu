// Adds up the 256 elements of each block: sums[b] = in[256 b] + … + in[256 b + 255], 0 past the end.

__global__ void block_sums(const unsigned* in, unsigned* sums, int n) {
  //! begin
  __shared__ unsigned part[8];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  unsigned v = i < n ? in[i] : 0u;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t % 32 == 0) part[t / 32] = v;  // one number from each of the eight warps
  __syncthreads();
  if (t < 32) {
    v = t < 8 ? part[t] : 0u;
    for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (t == 0) sums[blockIdx.x] = v;
  }
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
