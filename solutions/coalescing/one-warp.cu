// Doubles every element: out[i] = 2 · in[i]. Each thread takes one element.

__global__ void twice(const float* in, float* out, int n) {
  //! begin
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  //! instead
  //! // Lane l of the block's warp w takes element 8 l + w of the block's 256 elements.
  //! int lane = threadIdx.x % 32;
  //! int warp = threadIdx.x / 32;
  //! int i = blockIdx.x * blockDim.x + 8 * lane + warp;
  //! end
  if (i < n) out[i] = 2.0f * in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
