// 31 shuffles: every lane asks for the numbers of all lanes, one after the other.

__global__ void scan_warps(const unsigned* in, unsigned* inclusive, unsigned* exclusive, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int lane = threadIdx.x % 32;
  unsigned v = i < n ? in[i] : 0u;
  unsigned sum = v;
  for (int other = 0; other < 31; ++other) {
    unsigned left = __shfl_sync(0xffffffffu, v, other);
    if (lane > other) sum += left;
  }
  if (i < n) {
    inclusive[i] = sum;
    exclusive[i] = sum - v;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
