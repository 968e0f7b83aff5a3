// The number of blocks of a smaller size: the other elements have no thread.

__global__ void twice(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2.0f * in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3(40), dim3(256)};
}
