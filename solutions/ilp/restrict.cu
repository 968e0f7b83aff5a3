// Mixes two signals: out = a weight[0] + b weight[1]. A thread does eight elements, `threads`
// apart. n is a multiple of 2048.

//! begin
__global__ void mix(const float* __restrict__ a, const float* __restrict__ b,
                    const float* __restrict__ weight, float* __restrict__ out, int n) {
//! instead
//! __global__ void mix(const float* a, const float* b, const float* weight, float* out, int n) {
//! end
  int threads = n / 8;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    int k = i + e * threads;
    out[k] = a[k] * weight[0] + b[k] * weight[1];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 2048), dim3(256)};
}
