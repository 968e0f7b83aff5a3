// Adds up the 256 elements of each block, neighbours first.

__global__ void block_sums(const unsigned* in, unsigned* sums, int n) {
  __shared__ unsigned part[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  part[t] = i < n ? in[i] : 0u;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    if (t % (2 * d) == 0) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
