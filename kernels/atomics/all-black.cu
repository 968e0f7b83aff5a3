// Reference: adds up the values of the pixels of each region. Pixel i belongs to region label[i] >> shift.

constexpr int kEach = 64;  // pixels per thread
constexpr int kCopies = 8;

__global__ void region_sums(const unsigned char* label, const unsigned char* value, unsigned* sums, int shift,
                            int n) {
  __shared__ unsigned part[kCopies][257];  // one word more: the copies of a bin lie in different banks
  for (int c = 0; c < kCopies; ++c) part[c][threadIdx.x] = 0;
  __syncthreads();
  int copy = threadIdx.x % kCopies;
  for (int k = 0; k < kEach; ++k) {
    int i = (blockIdx.x * kEach + k) * 256 + threadIdx.x;
    if (i < n) atomicAdd(&part[copy][label[i] >> shift], value[i]);
  }
  __syncthreads();
  unsigned sum = 0;
  for (int c = 0; c < kCopies; ++c) sum += part[c][threadIdx.x];
  atomicAdd(&sums[threadIdx.x], sum);
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 256 * kEach - 1) / (256 * kEach)), dim3(256)};
}
