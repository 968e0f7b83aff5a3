// A thread's 16 counters side by side: 16 lanes share a bank, and which word they want depends on the data.

__global__ void winners(const unsigned* votes, unsigned* winner, int n, int voters) {
  __shared__ unsigned count[16 * 128];
  // The thread's counter of a label is count[first + label * step].
  int first = threadIdx.x * 16;   // 16 counters side by side
  int step = 1;
  int i = blockIdx.x * 128 + threadIdx.x;
  for (int label = 0; label < 16; ++label) count[first + label * step] = 0;
  if (i >= n) return;
  for (int v = 0; v < voters; ++v) {
    int label = votes[v * n + i] % 16;
    ++count[first + label * step];
  }
  int best = 0;
  for (int label = 1; label < 16; ++label) {
    if (count[first + label * step] > count[first + best * step]) best = label;
  }
  winner[i] = best;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 127) / 128), dim3(128)};
}
