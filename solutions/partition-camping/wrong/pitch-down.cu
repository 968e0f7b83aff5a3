// The lanes go down a column of the table instead of along its rows.
// Writes one part of what is known about each item, 64 bytes, as floats into the columns from
// 64 * part on of the item's row. The rows of the table may have a gap after them.

// From the start of a row of the table to the start of the next, in floats.
__host__ __device__ int pitch_of(int n) {
  int blocks = (n + 63) / 64;     // of 256 bytes: each row starts a partition
  if (blocks % 2 == 0) ++blocks;  // an odd number of them leads through all eight
  return 64 * blocks;
}

__global__ void fill_columns(const unsigned char* in, float* table, int items, int n, int part,
                             float scale) {
  for (int item = 64 * blockIdx.x + threadIdx.x; item < items; item += 64 * gridDim.x) {
    for (int i = threadIdx.y; i < 64; i += 4) {
      table[item * pitch_of(n) + 64 * part + i] = scale * (in[64 * item + i] - 128);
    }
  }
}

// Blocks of 64 × 4 threads, one for about 32 items.
__host__ __device__ Launch launch(int items) { return {dim3((items + 31) / 32), dim3(64, 4)}; }
