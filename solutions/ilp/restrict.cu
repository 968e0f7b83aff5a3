// Smooths the columns of an image by a filter of 17 weights: out[y][x] is the sum of weight[k] · in[y + k][x]. `in` has
// 16 rows more than `out`. A thread does eight outputs, one below the other. width is a multiple of 256, height of 8.

constexpr int kTaps = 17;

//! begin
__global__ void smooth(const float* __restrict__ in, const float* __restrict__ weight, float* __restrict__ out,
                       int width) {
//! instead
//! __global__ void smooth(const float* in, const float* weight, float* out,
//!                        int width) {
//! end
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = 8 * blockIdx.y;
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < kTaps; ++k) sum += weight[k] * in[(y + r + k) * width + x];
    out[(y + r) * width + x] = sum;
  }
}

__host__ __device__ Launch launch(int width, int height) {
  return {dim3(width / 256, height / 8), dim3(256)};
}
