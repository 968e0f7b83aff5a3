// Shifts 32 bits by 32, and converts afterwards.

constexpr int kEach = 128;  // pixels per thread
__global__ void brightest(const unsigned char* image, long long* best, int n) {
  long long mine = 0;
  for (int k = 0; k < kEach; ++k) {
    int i = (blockIdx.x * kEach + k) * 256 + threadIdx.x;
    if (i < n) mine = max(mine, (long long)(image[i] << 32 | (0xffffffffu - i)));
  }
  for (int d = 16; d > 0; d /= 2) mine = max(mine, __shfl_down_sync(0xffffffffu, mine, d));
  if (threadIdx.x % 32 == 0) atomicMax(best, mine);
}
__host__ __device__ Launch launch(int n) { return {dim3((n + 256 * kEach - 1) / (256 * kEach)), dim3(256)}; }
