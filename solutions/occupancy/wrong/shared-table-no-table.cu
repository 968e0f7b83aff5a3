// Without the table: the curve is read from global memory, at random places.

constexpr int kCurve = 4096, kPiece = 8192;

__global__ void calibrate(const float* curve, const int* in, float* out, int n) {
  for (int k = threadIdx.x; k < kPiece; k += 512) {
    int i = blockIdx.x * kPiece + k;
    if (i < n) out[i] = curve[in[i]];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + kPiece - 1) / kPiece), dim3(512)};
}
