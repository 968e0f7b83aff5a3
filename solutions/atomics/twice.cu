// Adds up n numbers, each rounded to a whole number of units of 1/4096: *sum is the exact sum of these.

constexpr float kUnits = 4096.0f;  // units per 1.0
constexpr int kEach = 64;         // numbers per thread

__global__ void exact_sum(const float* in, unsigned long long* sum, int n) {
  //! begin
  long long v = 0;
  for (int k = 0; k < kEach; ++k) {
    int i = (blockIdx.x * kEach + k) * 256 + threadIdx.x;
    if (i < n) v += llrintf(in[i] * kUnits);
  }
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, (unsigned long long)v);
  //! instead
  //! float v = 0.0f;
  //! for (int k = 0; k < kEach; ++k) {
  //!   int i = (blockIdx.x * kEach + k) * 256 + threadIdx.x;
  //!   if (i < n) v += in[i];
  //! }
  //! for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  //! if (threadIdx.x % 32 == 0) atomicAdd(sum, (unsigned long long)llrintf(v * kUnits));
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 256 * kEach - 1) / (256 * kEach)), dim3(256)};
}
