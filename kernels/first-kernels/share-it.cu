// Reference. A contest of swimmers who also cycle and run, in groups of 256: a block is a group, a thread an athlete.
// place[i] is 1 + how many of i's group need less time for all three together. n is a multiple of 256.

__global__ void places(const float* swim, const float* cycle, const float* run, int* place) {
  __shared__ float times[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  float mine = swim[i] + cycle[i] + run[i];
  times[threadIdx.x] = mine;
  __syncthreads();  // all 256 times are there: what follows reads what other threads wrote
  int faster = 0;
  for (int k = 0; k < 256; ++k) {
    if (times[k] < mine) ++faster;
  }
  place[i] = 1 + faster;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 256), dim3(256)};
}
