// Reference: finds the largest pixel of an image, and of several equal ones the first. A block has 256 threads.

constexpr int kEach = 64;  // pixels per thread

__global__ void brightest(const unsigned short* image, long long* best, int n) {
  long long mine = 0;
  for (int k = 0; k < kEach; ++k) {
    int i = (blockIdx.x * kEach + k) * 256 + threadIdx.x;
    if (i < n) {
      long long it = (long long)image[i] << 32 | (0xffffffffu - i);
      mine = it > mine ? it : mine;
    }
  }
  for (int d = 16; d > 0; d /= 2) {
    long long other = __shfl_down_sync(0xffffffffu, mine, d);
    mine = other > mine ? other : mine;
  }
  if (threadIdx.x % 32 == 0) atomicMax(best, mine);
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 256 * kEach - 1) / (256 * kEach)), dim3(256)};
}
