// Reference: counters of one label side by side, one for each thread of the block.

__global__ void winners(const unsigned* votes, unsigned* winner, int n, int voters) {
  __shared__ unsigned count[16][128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  for (int label = 0; label < 16; ++label) count[label][t] = 0;
  if (i >= n) return;
  for (int v = 0; v < voters; ++v) count[votes[v * n + i] % 16][t] += 1;
  int best = 0;
  for (int label = 1; label < 16; ++label) {
    if (count[label][t] > count[best][t]) best = label;
  }
  winner[i] = best;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 127) / 128), dim3(128)};
}
