// out = (a a + b b) / 2, as a library of array operations would do it: one operation after the
// other, with what is in between in `temp`. `temp` need not be used.

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

__host__ __device__ Launch launch(int n) {
  int blocks = (n + 511) / 512;
  return {dim3(blocks < 1056 ? blocks : 1056), dim3(256)};
}
