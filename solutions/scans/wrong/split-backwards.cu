// The keys with a 1 are filled in from the end, which turns their order round.

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

__global__ void sort_tiles(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[1024];
  int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  unsigned key = in[i];
  for (int bit = 0; bit < 8; ++bit) {
    unsigned zero = ~key >> bit & 1u;
    int zeros = __syncthreads_count(zero);
    int before = block_scan(zero) - zero;  // zeros among the threads before this one
    tile[zero ? before : 1023 - t + before] = key;
    __syncthreads();
    key = tile[t];
  }
  out[i] = key;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 1024), dim3(1024)};
}
