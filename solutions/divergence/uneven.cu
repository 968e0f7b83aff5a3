// Adds up the rows of a table. Row r has lengths[r] % 128 + 1 numbers; each row has room for 128.

// The sum of v over the 32 lanes of a warp. Every lane must call it; lane 0 gets the result.
__device__ unsigned warp_sum(unsigned v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

__global__ void row_sums(const unsigned* table, const unsigned* lengths, unsigned* sums, int rows) {
  //! begin
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;  // all lanes of a warp have the same row
  int length = lengths[row] % 128 + 1;
  unsigned sum = 0;
  for (int k = lane; k < length; k += 32) sum += table[row * 128 + k];
  sum = warp_sum(sum);
  if (lane == 0) sums[row] = sum;
  //! instead
  //! int row = blockIdx.x * blockDim.x + threadIdx.x;
  //! if (row >= rows) return;
  //! int length = lengths[row] % 128 + 1;
  //! unsigned sum = 0;
  //! for (int k = 0; k < length; ++k) sum += table[row * 128 + k];
  //! sums[row] = sum;
  //! end
}

__host__ __device__ Launch launch(int rows) {
  //! begin
  return {dim3((rows + 7) / 8), dim3(256)};  // eight warps a block, a row for each
  //! instead
  //! return {dim3((rows + 255) / 256), dim3(256)};
  //! end
}
