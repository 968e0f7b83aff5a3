// Adds up n numbers, each rounded to a multiple of 2^-20: *sum is the exact sum of these, in units of 2^-20.

constexpr float kUnits = 1048576.0f;  // per 1.0: 2^20
constexpr int kEach = 64;            // numbers per thread

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
