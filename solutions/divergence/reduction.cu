// Adds up the 256 elements of each block: sums[b] = in[256 b] + … + in[256 b + 255], 0 past the end.

__global__ void block_sums(const unsigned* in, unsigned* sums, int n) {
  __shared__ unsigned part[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  part[t] = i < n ? in[i] : 0u;
  __syncthreads();
  //! begin
  for (int d = 128; d > 0; d /= 2) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  //! end
  if (t == 0) sums[blockIdx.x] = part[0];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
