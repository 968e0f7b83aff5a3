// Doubles have more digits, but the numbers are rounded after the addition, not before.

constexpr float kUnits = 4096.0f;
constexpr int kEach = 64;

__global__ void exact_sum(const float* in, unsigned long long* sum, int n) {
  double v = 0;
  for (int k = 0; k < kEach; ++k) {
    int i = (blockIdx.x * kEach + k) * 256 + threadIdx.x;
    if (i < n) v += in[i];
  }
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, (unsigned long long)llrint(v * kUnits));
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 256 * kEach - 1) / (256 * kEach)), dim3(256)};
}
