// Sliding maximum: the next row travels through registers while this one is computed.

constexpr int kIn = 4096, kOut = kIn - 8;  // samples and results per row
constexpr int kThreads = 256, kEach = kIn / 4 / kThreads;

__device__ void compute(const float* slot, float* out) {
  for (int x = threadIdx.x; x < kOut; x += kThreads) {
    float most = slot[x];
    for (int k = 1; k <= 8; ++k) most = fmaxf(most, slot[x + k]);
    out[x] = most;
  }
}

__device__ void load(float4 (&next)[kEach], const float* row) {
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    next[e] = reinterpret_cast<const float4*>(row)[threadIdx.x + kThreads * e];
  }
}

__global__ void peaks(const float* in, float* out, int rows) {
  __shared__ float4 slot[2][kIn / 4];
  float4 next[kEach];
  load(next, in + blockIdx.x * kIn);
  for (int row = blockIdx.x, s = 0; row < rows; row += gridDim.x, s ^= 1) {
#pragma unroll
    for (int e = 0; e < kEach; ++e) slot[s][threadIdx.x + kThreads * e] = next[e];
    __syncthreads();
    if (row + gridDim.x < rows) load(next, in + (row + gridDim.x) * kIn);
    compute(reinterpret_cast<const float*>(slot[s]), out + row * kOut);
  }
}

__host__ __device__ Launch launch(int rows) {
  int blocks = (rows + 3) / 4;
  return {dim3(blocks < 132 ? blocks : 132), dim3(kThreads)};
}
