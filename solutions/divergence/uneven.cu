// A lottery: nonces[i] is the smallest k for which ticket i wins. One try in 64 wins.

__device__ bool wins(unsigned ticket, unsigned k) {
  unsigned x = ticket * 2654435761u + k;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return (x ^ x >> 16) < 1u << 26;
}

__global__ void draw(unsigned* nonces, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  //! begin
  unsigned k = 0;
  for (int i = thread; i < n;) {
    if (wins(i, k)) {
      nonces[i] = k;
      i += threads;  // done: this lane takes its next ticket
      k = 0;
    } else {
      ++k;
    }
  }
  //! instead
  //! for (int i = thread; i < n; i += threads) {
  //!   unsigned k = 0;
  //!   while (!wins(i, k)) ++k;
  //!   nonces[i] = k;
  //! }
  //! end
}

// About 64 tickets for each thread.
__host__ __device__ Launch launch(int n) {
  return {dim3((n + 64 * 128 - 1) / (64 * 128)), dim3(128)};
}
