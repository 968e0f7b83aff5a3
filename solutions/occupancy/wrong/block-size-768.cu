// 24 warps a block: two blocks fit, and a third of a block does not.

__global__ void mix(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0.75f * a[i] + 0.25f * b[i];
}

__host__ __device__ Launch launch(int n) {
  int block = 768;
  return {dim3((n + block - 1) / block), dim3(block)};
}
