// A checksum for each of n records of 32 words. A block brings 64 records into shared memory, 16
// bytes an access; then each thread reads its own record, again 16 bytes an access.

//! begin
constexpr int kPitch = 36;  // words from one record to the next
//! instead
//! constexpr int kPitch = 32;  // words from one record to the next
//! end

__global__ void checksums(const uint4* records, unsigned* sums, int n) {
  __shared__ __align__(16) unsigned words[64 * kPitch];
  int first = blockIdx.x * 64;
  for (int q = threadIdx.x; q < 64 * 8; q += 64) {
    int record = q / 8, part = q % 8;
    if (first + record < n) {
      *reinterpret_cast<uint4*>(&words[record * kPitch + part * 4]) = records[first * 8 + q];
    }
  }
  __syncthreads();
  int i = first + threadIdx.x;
  if (i >= n) return;
  unsigned sum = 0;
  for (int part = 0; part < 8; ++part) {
    uint4 v = *reinterpret_cast<const uint4*>(&words[threadIdx.x * kPitch + part * 4]);
    sum = sum * 31 + v.x + 3 * v.y + 5 * v.z + 7 * v.w;
  }
  sums[i] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 63) / 64), dim3(64)};
}
