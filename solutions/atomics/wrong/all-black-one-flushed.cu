// Only the first copy is added to the result.

constexpr int kEach = 64;

__global__ void region_sums(const unsigned char* label, const unsigned char* value, unsigned* sums, int shift,
                            int n) {
  __shared__ unsigned part[8][257];
  for (int c = 0; c < 8; ++c) part[c][threadIdx.x] = 0;
  __syncthreads();
  int copy = threadIdx.x % 8;
  for (int k = 0; k < kEach; ++k) {
    int i = (blockIdx.x * kEach + k) * 256 + threadIdx.x;
    if (i < n) atomicAdd(&part[copy][label[i] >> shift], value[i]);
  }
  __syncthreads();
  unsigned sum = 0;
  for (int c = 0; c < 1; ++c) sum += part[c][threadIdx.x];
  atomicAdd(&sums[threadIdx.x], sum);
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 256 * kEach - 1) / (256 * kEach)), dim3(256)};
}
