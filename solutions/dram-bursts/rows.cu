// Doubles n floats with 240 warps, each of them coalesced.

__global__ void twice(const float* in, float* out, int n) {
  //! begin
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  for (int i = thread; i < n; i += threads) out[i] = 2.0f * in[i];
  //! instead
  //! // Your kernel. Its launch is below: 240 warps, whatever n is.
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3(30), dim3(256)};
}
