// A file's header fills the elements before `first`. Doubles the payload, elements first to n - 1, in
// pieces of 32. The pieces are done in a scattered order, so that a viewer soon has a rough picture.

__global__ void twice_payload(const float* in, float* out, int first, int n) {
  unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  unsigned pieces = (n + 31) / 32;
  if (warp >= pieces) return;
  int piece = warp * 7919u % pieces;  // 7,919 is a prime number: each piece has its turn
  //! begin
  int start = first / 32 * 32;  // the line of 32 floats in which the payload begins
  int i = start + 32 * piece + threadIdx.x % 32;
  if (i >= first && i < n) out[i] = 2.0f * in[i];
  //! instead
  //! int i = first + 32 * piece + threadIdx.x % 32;
  //! if (i < n) out[i] = 2.0f * in[i];
  //! end
}

// A warp for each piece, the header's too.
__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
