// The whole scan in shared memory: eight rounds with two barriers each.

// The sum of v over the lanes up to and including this one. All 32 lanes must call it.
__device__ unsigned warp_scan(unsigned v) {
  for (int d = 1; d < 32; d *= 2) {
    unsigned left = __shfl_up_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 >= d) v += left;
  }
  return v;
}

__global__ void scan_blocks(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned part[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  unsigned v = i < n ? in[i] : 0u;
  part[t] = v;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    unsigned left = t >= d ? part[t - d] : 0u;
    __syncthreads();
    part[t] = v += left;
    __syncthreads();
  }
  if (i < n) out[i] = v;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
