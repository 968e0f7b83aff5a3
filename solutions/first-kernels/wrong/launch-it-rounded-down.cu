// Wrong: n / 256 drops the last, incomplete block.

__global__ void square(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 256), dim3(256)};
}
