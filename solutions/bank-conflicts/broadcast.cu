// Filters n numbers with 16 weights: out[i] = weight[0] * in[i] + … + weight[15] * in[i + 15].

__global__ void filter(const unsigned* in, const unsigned* weights, unsigned* out, int n) {
  //! begin
  __shared__ unsigned weight[16];
  if (threadIdx.x < 16) weight[threadIdx.x] = weights[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  unsigned sum = 0;
  for (int k = 0; k < 16; ++k) {
    sum += weight[k] * in[i + k];
  }
  out[i] = sum;
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 127) / 128), dim3(128)};
}
