// Doubles every element: out[i] = 2 · in[i]. Each thread takes one element.

__global__ void twice(const float* in, float* out, int n) {
  //! begin
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  //! instead
  //! // Dealt like cards: one element to each block in turn, then the next one to each.
  //! int i = threadIdx.x * gridDim.x + blockIdx.x;
  //! end
  if (i < n) out[i] = 2.0f * in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
