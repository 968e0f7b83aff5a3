// The sums before each element come by one more shuffle, but lane 0 keeps its own.

__global__ void scan_warps(const unsigned* in, unsigned* inclusive, unsigned* exclusive, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int lane = threadIdx.x % 32;
  unsigned v = i < n ? in[i] : 0u;
  unsigned sum = v;
  for (int d = 1; d < 32; d *= 2) {
    unsigned left = __shfl_up_sync(0xffffffffu, sum, d);
    if (lane >= d) sum += left;
  }
  unsigned before = __shfl_up_sync(0xffffffffu, sum, 1);
  if (i < n) {
    inclusive[i] = sum;
    exclusive[i] = before;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
