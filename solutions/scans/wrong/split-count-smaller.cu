// Each thread counts the keys that belong before its own: correct, and 1,024 comparisons per key.

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
  tile[t] = key & 255u;
  __syncthreads();
  int place = 0;
  for (int k = 0; k < 1024; ++k) {
    place += tile[k] < (key & 255u) || (tile[k] == (key & 255u) && k < t);
  }
  out[blockIdx.x * 1024 + place] = key;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 1024), dim3(1024)};
}
