// Only a is promised to be alone: b and the weights still wait for the stores.

__global__ void mix(const float* __restrict__ a, const float* b, const float* weight,
                    float* out, int n) {
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
