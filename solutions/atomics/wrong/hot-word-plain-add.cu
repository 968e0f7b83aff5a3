// One addition per block, but not an atomic one: blocks overwrite each other's.

__global__ void total(const unsigned* in, unsigned* sum, int n) {
  __shared__ unsigned all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  unsigned v = 0;
  for (int k = 0; k < 4; ++k) {
    int i = blockIdx.x * 1024 + k * 256 + threadIdx.x;
    if (i < n) v += in[i];
  }
  atomicAdd(&all, v);
  __syncthreads();
  if (threadIdx.x == 0) *sum += all;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 1023) / 1024), dim3(256)};
}
