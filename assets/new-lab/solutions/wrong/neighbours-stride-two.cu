// Each thread takes two neighbours: from lane to lane two elements.

__global__ void twice(const float* in, float* out, int n) {
  int first = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = first; i < min(first + 2, n); ++i) out[i] = 2.0f * in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 511) / 512), dim3(256)};
}
