// sinpif takes off whole turns by itself and is accurate, but is no single instruction either.

constexpr float kTurn = 6.2831853f;  // 2 pi

__global__ void wave(const float* in, float* out, int waves, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = 100.0f * in[i];
  float sum = 2.0f;
  for (int w = 0; w < waves; ++w) {
    float turns = (w + 1) * t;
    sum += sinpif(2.0f * turns);
  }
  out[i] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
