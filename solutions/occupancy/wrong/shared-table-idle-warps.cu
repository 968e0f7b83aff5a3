// 256 threads, of which 64 do all the work: the SM is full on paper only.

constexpr int kCurve = 4096, kPiece = 8192;

__global__ void calibrate(const float* curve, const int* in, float* out, int n) {
  __shared__ float table[kCurve];
  if (threadIdx.x >= 64) return;
  for (int k = threadIdx.x; k < kCurve; k += 64) table[k] = curve[k];
  __syncthreads();
  for (int k = threadIdx.x; k < kPiece; k += 64) {
    int i = blockIdx.x * kPiece + k;
    if (i < n) out[i] = table[in[i]];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + kPiece - 1) / kPiece), dim3(256)};
}
