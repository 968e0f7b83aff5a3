// A file's header fills the elements before `first`. Doubles the payload: elements first to n - 1.

__global__ void twice_payload(const float* in, float* out, int first, int n) {
  //! begin
  int start = first / 32 * 32;  // the line of 32 floats in which the payload begins
  int i = start + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= first && i < n) out[i] = 2.0f * in[i];
  //! instead
  //! int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  //! if (i < n) out[i] = 2.0f * in[i];
  //! end
}

// A thread for each element, the header's too.
__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
