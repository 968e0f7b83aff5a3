// The weights changed places.

__global__ void mix(const float* __restrict__ a, const float* __restrict__ b,
                    const float* __restrict__ weight, float* __restrict__ out, int n) {
  int threads = n / 8;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    int k = i + e * threads;
    out[k] = a[k] * weight[1] + b[k] * weight[0];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 2048), dim3(256)};
}
