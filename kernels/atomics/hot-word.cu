// Reference: adds up n numbers: *sum += in[0] + … + in[n - 1]. A block has 256 threads and 1,024 numbers.

__global__ void total(const unsigned* in, unsigned* sum, int n) {
  __shared__ unsigned part[8];
  unsigned v = 0;
  for (int k = 0; k < 4; ++k) {
    int i = blockIdx.x * 1024 + k * 256 + threadIdx.x;
    if (i < n) v += in[i];
  }
  v = __reduce_add_sync(0xffffffffu, v);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = __reduce_add_sync(0xffffffffu, threadIdx.x < 8 ? part[threadIdx.x] : 0u);
    if (threadIdx.x == 0) atomicAdd(sum, v);
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 1023) / 1024), dim3(256)};
}
