// out[i] = weight[0] * in[i] + … + weight[15] * in[i + 15], one weight at a time: an unrolled loop would fetch four
// weights with one load.

__global__ void filter(const unsigned* in, const unsigned* weights, unsigned* out, int n) {
  __shared__ unsigned weight[16];
  if (threadIdx.x < 16) weight[threadIdx.x] = weights[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  unsigned sum = 0;
#pragma unroll 1
  for (int k = 0; k < 16; ++k) {
    sum += weight[k] * in[i + k];
  }
  out[i] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 127) / 128), dim3(128)};
}
