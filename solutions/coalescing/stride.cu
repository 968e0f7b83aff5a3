// Brightens n elements with fewer threads than elements: each thread takes several.

__global__ void brighten(const float* in, float* out, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  //! begin
  for (int i = thread; i < n; i += threads) {
    out[i] = 0.5f * in[i] + 0.25f;
  }
  //! instead
  //! // As on a CPU: each thread takes one run of neighbouring elements.
  //! int run = (n + threads - 1) / threads;
  //! int first = thread * run;
  //! for (int i = first; i < first + run && i < n; ++i) {
  //!   out[i] = 0.5f * in[i] + 0.25f;
  //! }
  //! end
}

// About 16 elements for each thread.
__host__ __device__ Launch launch(int n) {
  return {dim3((n + 16 * 128 - 1) / (16 * 128)), dim3(128)};
}
