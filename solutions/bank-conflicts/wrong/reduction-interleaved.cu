// Adds neighbours first: the lanes that add are 2, 4, 8, … words apart.

__global__ void block_sums(const unsigned* in, unsigned* sums, int n) {
  __shared__ unsigned s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int k = 2 * d * t;
    if (k < 256) s[k] += s[k + d];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
