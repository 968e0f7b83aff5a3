// Reference: in each round the first half adds the second half to itself.

__global__ void block_sums(const unsigned* in, unsigned* sums, int n) {
  __shared__ unsigned part[256];
  int lane = threadIdx.x, first = blockIdx.x * 256;
  part[lane] = first + lane < n ? in[first + lane] : 0;
  __syncthreads();
  for (int half = 128; half >= 1; half >>= 1) {
    if (lane < half) part[lane] += part[lane + half];
    __syncthreads();
  }
  if (lane == 0) sums[blockIdx.x] = part[0];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
