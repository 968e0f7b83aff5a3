// Each warp adds its sum to the block's with an atomic on shared memory.

__global__ void block_sums(const unsigned* in, unsigned* sums, int n) {
  __shared__ unsigned total;
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  if (t == 0) total = 0;
  __syncthreads();
  unsigned v = i < n ? in[i] : 0u;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t % 32 == 0) atomicAdd(&total, v);
  __syncthreads();
  if (t == 0) sums[blockIdx.x] = total;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
