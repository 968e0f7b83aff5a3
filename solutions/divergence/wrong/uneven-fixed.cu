// All lanes work all the time: each ticket gets 1,000 tries, won or not.

__device__ bool wins(unsigned ticket, unsigned k) {
  unsigned x = ticket * 2654435761u + k;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return (x ^ x >> 16) < 1u << 26;
}

__global__ void draw(unsigned* nonces, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  for (int i = thread; i < n; i += threads) {
    unsigned best = 1000;
    for (unsigned k = 1000; k-- > 0;) best = wins(i, k) ? k : best;
    nonces[i] = best;
  }
}

// About 64 tickets for each thread.
__host__ __device__ Launch launch(int n) {
  return {dim3((n + 64 * 128 - 1) / (64 * 128)), dim3(128)};
}
