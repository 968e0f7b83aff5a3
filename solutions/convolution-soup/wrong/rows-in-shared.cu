// The kernel of the last step: its rows go through shared memory.
// A 5 × 5 convolution of 8-bit pixels. Pixel (x, y) of the input is at in[(y + 2) * pitch + x + 256]:
// the image has a margin on all sides, so that nobody needs to think about borders.
// w is a multiple of 16.

__constant__ int weights[25] = {1, 3,  5,  4,  2, 4, 14, 20, 13, 5, 6, 22, 34,
                                20, 7, 5, 15, 21, 14, 6, 3, 8,  11, 8, 5};  // the sum is 256

// The weights of a row as they meet the words of a window, for each of the four pixels of a word:
// pixel 0 has two taps in the word before its own and three in its own, and so on.
#define ROW(a, b, c, d, e)                                                             \
  {{a << 16 | b << 24, c | d << 8 | e << 16}, {a << 24, b | c << 8 | d << 16 | e << 24}, \
   {a | b << 8 | c << 16 | d << 24, e}, {a << 8 | b << 16 | c << 24, d | e << 8}}
__constant__ unsigned taps[5][4][2] = {ROW(1, 3, 5, 4, 2), ROW(4, 14, 20, 13, 5),
                                       ROW(6, 22, 34, 20, 7), ROW(5, 15, 21, 14, 6),
                                       ROW(3, 8, 11, 8, 5)};

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
  __shared__ unsigned result[16][64];
  for (int q = 0; q < 4 && top + threadIdx.y < h; ++q) {
    int word = threadIdx.x + 16 * q;
    int sum[4] = {};
#pragma unroll
    for (int i = 0; i < 5; ++i) {
      const unsigned* row = reinterpret_cast<const unsigned*>(tile[threadIdx.y + i]) + word;
      unsigned before = row[3], own = row[4], behind = row[5];  // 12 pixels
#pragma unroll
      for (int p = 0; p < 4; ++p) {
        unsigned first = p < 2 ? before : own, second = p < 2 ? own : behind;
        sum[p] = __dp4a(first, taps[i][p][0], (unsigned)sum[p]);
        sum[p] = __dp4a(second, taps[i][p][1], (unsigned)sum[p]);
      }
    }
    result[threadIdx.y][word] = pack(sum);
  }
  __syncthreads();
  int x = left + 16 * threadIdx.x, y = top + threadIdx.y;
  if (x >= w || y >= h) return;
  const unsigned* words = &result[threadIdx.y][4 * threadIdx.x];
  *reinterpret_cast<uint4*>(out + y * w + x) = make_uint4(words[0], words[1], words[2], words[3]);
}

__host__ __device__ Launch launch(int w, int h) {
  return {dim3((w + 255) / 256, (h + 15) / 16), dim3(16, 16)};
}
