// Each of n points gets a label, 0 to 15, from each voter. The winner is the label with most votes,
// the least one if several are even. A thread counts for one point, with 16 counters of its own in
// shared memory.

__global__ void winners(const unsigned* votes, unsigned* winner, int n, int voters) {
  //! begin
  __shared__ unsigned count[16 * 128];
  // The thread's counter of a label is count[first + label * step].
  int first = threadIdx.x;
  int step = 128;
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
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 127) / 128), dim3(128)};
}
