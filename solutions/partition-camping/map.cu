// The sum of each band of eight rows. Warp w of a block takes the pieces of its band that partition w
// has. GTX 280: eight partitions of 256 bytes. The table begins in partition 0 and has rows of n words.

// The partition in which piece `tile` of row `row` begins: 32 words, 128 bytes.
__device__ int partition_of(int row, int tile, int n) {
  //! begin
  int address = 4 * (row * n + 32 * tile);  // in bytes
  return address / 256 % 8;
  //! instead
  //! return tile / 2 % 8;
  //! end
}

__device__ unsigned warp_sum(unsigned value) {
  for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
  return value;
}

__global__ void band_sums(const unsigned* in, unsigned* out, int rows, int n) {
  __shared__ unsigned sums[8];
  int warp = threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  int tiles = (n + 31) / 32;
  int first = 8 * blockIdx.x;
  unsigned sum = 0;
  for (int row = first; row < min(first + 8, rows); ++row) {
    for (int tile = 0; tile < tiles; ++tile) {
      if (partition_of(row, tile, n) != warp) continue;  // another warp's
      int column = 32 * tile + lane;
      if (column < n) sum += in[row * n + column];
    }
  }
  sum = warp_sum(sum);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned band = 0;
    for (int w = 0; w < 8; ++w) band += sums[w];
    out[blockIdx.x] = band;
  }
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3((rows + 7) / 8), dim3(256)};
}
