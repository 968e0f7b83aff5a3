// Sliding maximum: load a row, wait, compute it, wait.

constexpr int kIn = 4096, kOut = kIn - 8;  // samples and results per row
constexpr int kThreads = 256, kEach = kIn / 4 / kThreads;

__device__ void compute(const float* slot, float* out) {
  for (int x = threadIdx.x; x < kOut; x += kThreads) {
    float most = slot[x];
    for (int k = 1; k <= 8; ++k) most = fmaxf(most, slot[x + k]);
    out[x] = most;
  }
}

__global__ void peaks(const float* in, float* out, int rows) {
  __shared__ float4 slot[kIn / 4];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float4* from = reinterpret_cast<const float4*>(in + row * kIn);
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      slot[threadIdx.x + kThreads * e] = from[threadIdx.x + kThreads * e];
    }
    __syncthreads();
    compute(reinterpret_cast<const float*>(slot), out + row * kOut);
    __syncthreads();
  }
}

__host__ __device__ Launch launch(int rows) {
  int blocks = (rows + 3) / 4;
  return {dim3(blocks < 132 ? blocks : 132), dim3(kThreads)};
}
