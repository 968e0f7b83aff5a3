// Each thread takes eight neighbours of a row: the loads move, but each touches 32 sectors.

constexpr int kTaps = 17;

__global__ void smooth(const float* __restrict__ in, const float* __restrict__ weight, float* __restrict__ out,
                       int width) {
  int x = 8 * (blockIdx.x * blockDim.x % 256 / 8 + threadIdx.x % 32) + blockIdx.x * blockDim.x;
  int y = 8 * blockIdx.y + threadIdx.x / 32;
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < kTaps; ++k) sum += weight[k] * in[(y + k) * width + x + c];
    out[y * width + x + c] = sum;
  }
}

__host__ __device__ Launch launch(int width, int height) {
  return {dim3(width / 256, height / 8), dim3(256)};
}
