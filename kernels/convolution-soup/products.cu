// Reference: five taps are two products of four bytes.

// The weights of a row as they meet the words of a window, for each of the four pixels of a word:
// pixel 0 has two taps in the word before its own and three in its own, and so on.
#define ROW(a, b, c, d, e)                                                             \
  {{a << 16 | b << 24, c | d << 8 | e << 16}, {a << 24, b | c << 8 | d << 16 | e << 24}, \
   {a | b << 8 | c << 16 | d << 24, e}, {a << 8 | b << 16 | c << 24, d | e << 8}}
__constant__ unsigned taps[5][4][2] = {ROW(1, 3, 5, 4, 2), ROW(4, 14, 20, 13, 5),
                                       ROW(6, 22, 34, 20, 7), ROW(5, 15, 21, 14, 6),
                                       ROW(3, 8, 11, 8, 5)};

__global__ void convolve(const unsigned char* in, unsigned char* out, int w, int h, int pitch) {
  __shared__ uint4 tile[20][18];
  __shared__ uchar4 result[16][64];
  int left = 256 * blockIdx.x, top = 16 * blockIdx.y, lane = threadIdx.x;
  for (int r = threadIdx.y; r < 20 && top + r < h + 4; r += 16) {
    const uint4* pieces = reinterpret_cast<const uint4*>(in + (top + r) * pitch + 256 + left);
    tile[r][lane + 1] = pieces[lane];
    if (lane == 15) tile[r][0] = pieces[-1];
    if (lane == 0) tile[r][17] = pieces[16];
  }
  __syncthreads();
  int y = top + threadIdx.y;
  for (int word = lane; word < 64 && y < h; word += 16) {
    unsigned sum[4] = {};
#pragma unroll
    for (int i = 0; i < 5; ++i) {
      const unsigned* words = reinterpret_cast<const unsigned*>(tile[threadIdx.y + i]) + word + 3;
      unsigned window[3] = {words[0], words[1], words[2]};
#pragma unroll
      for (int p = 0; p < 4; ++p) {
        sum[p] = __dp4a(window[p / 2], taps[i][p][0], sum[p]);
        sum[p] = __dp4a(window[p / 2 + 1], taps[i][p][1], sum[p]);
      }
    }
    result[threadIdx.y][word] =
        make_uchar4(sum[0] / 256, sum[1] / 256, sum[2] / 256, sum[3] / 256);
  }
  __syncthreads();
  int x = left + 16 * lane;
  if (x < w && y < h) {
    *reinterpret_cast<uint4*>(out + y * w + x) =
        *reinterpret_cast<const uint4*>(&result[threadIdx.y][4 * lane]);
  }
}

__host__ __device__ Launch launch(int w, int h) {
  return {dim3((w + 255) / 256, (h + 15) / 16), dim3(16, 16)};
}
