// One row per thread: the words of five rows are loaded again for each output.

// The weights of a row as they meet the words of a window, for each of the four pixels of a word:
// pixel 0 has two taps in the word before its own and three in its own, and so on.
#define ROW(a, b, c, d, e)                                                             \
  {{a << 16 | b << 24, c | d << 8 | e << 16}, {a << 24, b | c << 8 | d << 16 | e << 24}, \
   {a | b << 8 | c << 16 | d << 24, e}, {a << 8 | b << 16 | c << 24, d | e << 8}}
__constant__ unsigned taps[5][4][2] = {ROW(1, 3, 5, 4, 2), ROW(4, 14, 20, 13, 5),
                                       ROW(6, 22, 34, 20, 7), ROW(5, 15, 21, 14, 6),
                                       ROW(3, 8, 11, 8, 5)};

// Four pixels, the first in the lowest byte. A sum / 256 is its second byte: picked, not shifted.
__device__ unsigned pack(const unsigned* sum) {
  unsigned low = __byte_perm(sum[0], sum[1], 0x51), high = __byte_perm(sum[2], sum[3], 0x51);
  return __byte_perm(low, high, 0x5410);
}

__global__ void convolve(const unsigned char* in, unsigned char* out, int w, int h, int pitch) {
  int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y;
  if (x >= w) return;
  unsigned sum[4] = {};
  for (int i = 0; i < 5; ++i) {
    const unsigned* row = reinterpret_cast<const unsigned*>(in + (y + i) * pitch + x + 256);
    unsigned words[3] = {row[-1], row[0], row[1]};
    for (int p = 0; p < 4; ++p) {
      sum[p] = __dp4a(words[p / 2], taps[i][p][0], sum[p]);
      sum[p] = __dp4a(words[p / 2 + 1], taps[i][p][1], sum[p]);
    }
  }
  *reinterpret_cast<unsigned*>(out + y * w + x) = pack(sum);
}

__host__ __device__ Launch launch(int w, int h) {
  return {dim3((w / 4 + 255) / 256, h), dim3(256)};
}
