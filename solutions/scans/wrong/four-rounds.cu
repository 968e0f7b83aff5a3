// 256 threads, but four block scans, one after the other: nothing is saved.

// The sum of v over the lanes up to and including this one. All 32 lanes must call it.
__device__ unsigned warp_scan(unsigned v) {
  for (int d = 1; d < 32; d *= 2) {
    unsigned left = __shfl_up_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 >= d) v += left;
  }
  return v;
}

// The sum of v over the block's threads up to and including this one. All threads must call it.
__device__ unsigned block_scan(unsigned v) {
  __shared__ unsigned sums[32];
  int t = threadIdx.x;
  v = warp_scan(v);
  if (t % 32 == 31) sums[t / 32] = v;
  __syncthreads();
  if (t < 32) sums[t] = warp_scan(t < blockDim.x / 32 ? sums[t] : 0u);
  __syncthreads();
  return t < 32 ? v : v + sums[t / 32 - 1];
}

__global__ void scan_tiles(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned last;
  unsigned before = 0u;
  for (int k = 0; k < 4; ++k) {
    int i = blockIdx.x * 1024 + k * 256 + threadIdx.x;
    unsigned sum = before + block_scan(i < n ? in[i] : 0u);
    if (i < n) out[i] = sum;
    if (threadIdx.x == 255) last = sum;
    __syncthreads();
    before = last;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 1023) / 1024), dim3(256)};
}
