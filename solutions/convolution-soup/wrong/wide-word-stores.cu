// Reads 16 bytes at a time and writes four.

__constant__ int weights[25] = {1, 3,  5,  4,  2, 4, 14, 20, 13, 5, 6, 22, 34,
                                20, 7, 5, 15, 21, 14, 6, 3, 8,  11, 8, 5};  // the sum is 256

__device__ unsigned pack(const int* sum) {  // four pixels, the first in the lowest byte
  return sum[0] / 256 | sum[1] / 256 << 8 | sum[2] / 256 << 16 | (unsigned)(sum[3] / 256) << 24;
}

__global__ void convolve(const unsigned char* in, unsigned char* out, int w, int h, int pitch) {
  int left = 256 * blockIdx.x, top = 16 * blockIdx.y;  // of the block's 256 × 16 pixels
  __shared__ uint4 tile[20][18];  // 16 pixels each: one left of the block, one right of it
  for (int r = threadIdx.y; r < min(20, h + 4 - top); r += 16) {
    const uint4* row = reinterpret_cast<const uint4*>(in + (top + r) * pitch + left + 256);
    int k = threadIdx.x;
    tile[r][1 + k] = row[k];
    if (k == 15) tile[r][0] = row[-1];
    if (k == 0) tile[r][17] = row[16];
  }
  __syncthreads();
  int x = left + 16 * threadIdx.x, y = top + threadIdx.y;
  if (x >= w || y >= h) return;
  int sum[16] = {};
#pragma unroll
  for (int i = 0; i < 5; ++i) {
    const unsigned char* row =
        reinterpret_cast<const unsigned char*>(tile[threadIdx.y + i]) + 16 * threadIdx.x + 14;
#pragma unroll
    for (int j = 0; j < 20; ++j) {
      int value = row[j];
#pragma unroll
      for (int p = 0; p < 16; ++p) {
        if (j >= p && j < p + 5) sum[p] += weights[5 * i + j - p] * value;
      }
    }
  }
  unsigned* words = reinterpret_cast<unsigned*>(out + y * w + x);
  for (int q = 0; q < 4; ++q) words[q] = pack(sum + 4 * q);
}

__host__ __device__ Launch launch(int w, int h) {
  return {dim3((w + 255) / 256, (h + 15) / 16), dim3(16, 16)};  // 16 pixels a thread
}
