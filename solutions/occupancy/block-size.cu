// Mixes two arrays of n elements: out[i] = 0.75 · a[i] + 0.25 · b[i].

__global__ void mix(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0.75f * a[i] + 0.25f * b[i];
}

__host__ __device__ Launch launch(int n) {
  //! begin
  int block = 256;
  return {dim3((n + block - 1) / block), dim3(block)};
  //! instead
  //! return {dim3((n + 31) / 32), dim3(32)};  // grid: blocks for n elements; block: its threads
  //! end
}
