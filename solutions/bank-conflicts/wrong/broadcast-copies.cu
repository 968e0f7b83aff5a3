// A copy of the weights for each thread, 16 words apart: the copies meet in two banks.

__global__ void filter(const unsigned* in, const unsigned* weights, unsigned* out, int n) {
  // A copy of the weights for each thread, so that no two lanes want the same word.
  __shared__ unsigned weight[128][16];
  for (int q = threadIdx.x; q < 128 * 16; q += 128) weight[q / 16][q % 16] = weights[q % 16];
  __syncthreads();
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  unsigned sum = 0;
  for (int k = 0; k < 16; ++k) {
    sum += weight[threadIdx.x][k] * in[i + k];
  }
  out[i] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 127) / 128), dim3(128)};
}
