// Padding by one word and four narrow accesses for each wide one.

constexpr int kPitch = 33;  // words from one record to the next

__global__ void checksums(const uint4* records, unsigned* sums, int n) {
  __shared__ __align__(16) unsigned words[64 * kPitch];
  int first = blockIdx.x * 64;
  for (int q = threadIdx.x; q < 64 * 8; q += 64) {
    int record = q / 8, part = q % 8;
    if (first + record < n) {
      uint4 v = records[first * 8 + q];
      unsigned* w = &words[record * kPitch + part * 4];
      w[0] = v.x;
      w[1] = v.y;
      w[2] = v.z;
      w[3] = v.w;
    }
  }
  __syncthreads();
  int i = first + threadIdx.x;
  if (i >= n) return;
  unsigned sum = 0;
  for (int part = 0; part < 8; ++part) {
    const unsigned* w = &words[threadIdx.x * kPitch + part * 4];
    uint4 v = make_uint4(w[0], w[1], w[2], w[3]);
    sum = sum * 31 + v.x + 3 * v.y + 5 * v.z + 7 * v.w;
  }
  sums[i] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 63) / 64), dim3(64)};
}
