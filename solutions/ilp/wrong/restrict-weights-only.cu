// The weights are out of the loop, but the loads of a and b still wait for the stores.

__global__ void mix(const float* a, const float* b, const float* weight, float* out,
                    int n) {
  float first = weight[0], second = weight[1];
  int threads = n / 8;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    int k = i + e * threads;
    out[k] = a[k] * first + b[k] * second;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 2048), dim3(256)};
}
