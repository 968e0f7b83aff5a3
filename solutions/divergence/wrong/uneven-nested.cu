// Neighbouring tickets for each thread, but still a loop in a loop.

__device__ bool wins(unsigned ticket, unsigned k) {
  unsigned x = ticket * 2654435761u + k;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return (x ^ x >> 16) < 1u << 26;
}

__global__ void draw(unsigned* nonces, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  int run = (n + threads - 1) / threads;
  for (int i = thread * run; i < thread * run + run && i < n; ++i) {
    unsigned k = 0;
    while (!wins(i, k)) ++k;
    nonces[i] = k;
  }
}

// About 64 tickets for each thread.
__host__ __device__ Launch launch(int n) {
  return {dim3((n + 64 * 128 - 1) / (64 * 128)), dim3(128)};
}
