// Scans each group of 1,024 elements: out[i] is the sum of its group's elements up to and including i. n is a multiple of 4.

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
  //! begin
  int i = blockIdx.x * 1024 + threadIdx.x * 4;
  uint4 v = i < n ? *reinterpret_cast<const uint4*>(in + i) : make_uint4(0u, 0u, 0u, 0u);
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  unsigned before = block_scan(v.w) - v.w;  // the sum of all threads before this one
  v = make_uint4(v.x + before, v.y + before, v.z + before, v.w + before);
  if (i < n) *reinterpret_cast<uint4*>(out + i) = v;
  //! instead
  //! int i = blockIdx.x * 1024 + threadIdx.x;
  //! unsigned sum = block_scan(i < n ? in[i] : 0u);
  //! if (i < n) out[i] = sum;
  //! end
}

__host__ __device__ Launch launch(int n) {
  //! begin
  return {dim3((n + 1023) / 1024), dim3(256)};
  //! instead
  //! return {dim3((n + 1023) / 1024), dim3(1024)};
  //! end
}
