// Rows start a block of 256 bytes, and no more.
// Writes one part of what is known about each item, 64 bytes, as floats into the columns from
// 64 * part on of the item's row. The rows of the table may have a gap after them.

// From the start of a row of the table to the start of the next, in floats.
__host__ __device__ int pitch_of(int n) {
  int blocks = (n + 63) / 64;     // of 256 bytes: each row starts a partition
  return 64 * blocks;
}

__global__ void fill_columns(const unsigned char* in, float* table, int items, int n, int part,
                             float scale) {
  int column = 64 * part + threadIdx.x;
  for (int item = 4 * blockIdx.x + threadIdx.y; item < items; item += 4 * gridDim.x) {
    table[item * pitch_of(n) + column] = scale * (in[64 * item + threadIdx.x] - 128);
  }
}

// Blocks of 64 × 4 threads, one for about 32 items.
__host__ __device__ Launch launch(int items) { return {dim3((items + 31) / 32), dim3(64, 4)}; }
