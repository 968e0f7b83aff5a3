// The weights stay in global memory: a load more for each product.

__global__ void filter(const unsigned* in, const unsigned* weights, unsigned* out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  unsigned sum = 0;
  for (int k = 0; k < 16; ++k) {
    sum += weights[k] * in[i + k];
  }
  out[i] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 127) / 128), dim3(128)};
}
