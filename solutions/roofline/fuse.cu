// out = (a a + b b) / 2. `temp` is what a library of array operations would need for it; you do not.

__global__ void energy(const float* a, const float* b, float* temp, float* out, int n) {
  //! begin
  int threads = gridDim.x * blockDim.x;
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = thread; i < n; i += threads) {
    float x = a[i], y = b[i];
    out[i] = 0.5f * (x * x + y * y);
  }
  //! end
}

// At most 1,056 blocks, eight for each SM of an H200, however large n is.
__host__ __device__ Launch launch(int n) {
  int blocks = (n + 511) / 512;
  return {dim3(blocks < 1056 ? blocks : 1056), dim3(256)};
}
