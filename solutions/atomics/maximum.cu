// Finds the largest pixel of an image, and of several equal ones the first. A block has 256 threads.

constexpr int kEach = 128;  // pixels per thread

__global__ void brightest(const unsigned char* image, long long* best, int n) {
  //! begin
  long long mine = 0;
  for (int k = 0; k < kEach; ++k) {
    int i = (blockIdx.x * kEach + k) * 256 + threadIdx.x;
    long long it = i < n ? (long long)image[i] << 32 | (0xffffffffu - i) : 0;
    mine = max(mine, it);
  }
  for (int d = 16; d > 0; d /= 2) mine = max(mine, __shfl_down_sync(0xffffffffu, mine, d));
  if (threadIdx.x % 32 == 0) atomicMax(best, mine);
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 256 * kEach - 1) / (256 * kEach)), dim3(256)};
}
