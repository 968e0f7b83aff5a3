// A copy, one float per thread.

__global__ void copy(const float* in, float* out, int n) {
  int i = 256 * blockIdx.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
