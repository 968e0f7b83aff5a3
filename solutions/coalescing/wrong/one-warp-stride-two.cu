// Half-way there: neighbouring lanes are two elements apart, so half of each sector is wasted.

__global__ void twice(const float* in, float* out, int n) {
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + 2 * (t % 128) + t / 128;
  if (i < n) out[i] = 2.0f * in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
