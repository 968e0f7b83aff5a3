// Reference: all lanes read the same weight at the same time.

__global__ void filter(const unsigned* in, const unsigned* weights, unsigned* out, int n) {
  __shared__ unsigned shared_weights[16];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (t < 16) shared_weights[t] = weights[t];
  __syncthreads();
  unsigned sum = 0;
  if (i < n) {
    for (int k = 0; k < 16; ++k) sum += in[i + k] * shared_weights[k];
    out[i] = sum;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 127) / 128), dim3(128)};
}
