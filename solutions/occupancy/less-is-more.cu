// Smooths an image down its columns: each output is the sum of nine rows of `in`, weighted.
// `in` has eight rows more than `out`, so that no output lacks a neighbour.

__device__ float weight(int k) { return k < 5 ? 0.25f * (k + 1) : 0.25f * (9 - k); }

constexpr int kRows = 8;  // outputs of a thread, one below the other

__global__ void smooth(const float* in, float* out, int width, int height) {
  //! begin
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = kRows * blockIdx.y;
  if (x >= width) return;
  float window[kRows + 8];  // the rows that the thread's outputs need, each read once
#pragma unroll
  for (int k = 0; k < kRows + 8; ++k) {
    window[k] = y + k < height + 8 ? in[(y + k) * width + x] : 0.0f;
  }
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 9; ++k) sum += weight(k) * window[r + k];
    if (y + r < height) out[(y + r) * width + x] = sum;
  }
  //! instead
  //!
  //! end
}

__host__ __device__ Launch launch(int height, int width) {
  return {dim3((width + 255) / 256, (height + kRows - 1) / kRows), dim3(256)};
}
