// Squares every element: out[i] = in[i] · in[i]. The kernel works with blocks of any size.

__global__ void square(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

__host__ __device__ Launch launch(int n) {
  //! begin
  int threads = 256;
  int blocks = (n + threads - 1) / threads;
  return {dim3(blocks), dim3(threads)};
  //! instead
  //! return {dim3(n), dim3(1)};  // n blocks of a single thread
  //! end
}
