// The band begins a column too late: each pixel takes the window of its right neighbour.
// A 5 × 5 convolution of 8-bit pixels. Pixel (x, y) of the input is at in[(y + 2) * pitch + x + 256]:
// the image has a margin on all sides, so that nobody needs to think about borders.
// w is a multiple of 16.

// A row of weights, five bytes: its bytes `first` to `first` + 3, with 0 before and behind.
__device__ unsigned piece(unsigned long long row, int first) {
  if (first < -3 || first > 4) return 0;
  return (unsigned)(first < 0 ? row << -8 * first : row >> 8 * first);
}

// c += a × b, by the whole warp: 16 windows of 16 bytes times a band of weights, 16 × 8. A lane holds
// bytes 4 part to 4 part + 3 of the windows `chunk` and `chunk` + 8, and of column `chunk` of the band.
__device__ void multiply(int (&c)[4], const unsigned (&a)[2], unsigned b) {
  asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(b));
}

// c += a0 × b0 + a1 × b1: two of them in one instruction.
__device__ void multiply(int (&c)[4], const unsigned (&a0)[2], const unsigned (&a1)[2], unsigned b0,
                         unsigned b1) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a0[0]), "r"(a0[1]), "r"(a1[0]), "r"(a1[1]), "r"(b0), "r"(b1));
}

constexpr int kRows = 32;         // rows of a warp, one below the other
constexpr int kAhead = 6;         // rows that are on their way while one is worked on
constexpr int kKept = 5 + kAhead;

__global__ void __launch_bounds__(128)
    convolve(const unsigned char* in, unsigned char* out, int w, int h, int pitch) {
  int lane = threadIdx.x % 32, chunk = lane / 4, part = lane % 4;
  int left = 128 * (blockIdx.x * 4 + threadIdx.x / 32), y = kRows * blockIdx.y;
  if (left >= w) return;
  // The five rows of weights, the first weight in the lowest byte.
  const unsigned long long weights[5] = {0x0204050301, 0x050d140e04, 0x0714221606, 0x060e150f05,
                                         0x05080b0803};
  unsigned band[5];
  for (int i = 0; i < 5; ++i) band[i] = piece(weights[i], 4 * part - chunk - 1);
  // Window `chunk` begins 4 pixels left of the chunk's 8 pixels.
  const unsigned char* row = in + y * pitch + 256 + left - 4 + 8 * chunk + 4 * part;
  unsigned pixels[kKept][2] = {};  // of the last five rows, and of those to come
  int x = left + 8 * chunk + 2 * part;
  bool near = x < w, far = x + 64 < w;
#pragma unroll
  for (int r = -kAhead; r < kRows + 4; ++r) {
    int next = r + kAhead;
    if (next < kRows + 4) {
      if (y + next < h + 4) {
        pixels[next % kKept][0] = *reinterpret_cast<const unsigned*>(row);
        pixels[next % kKept][1] = *reinterpret_cast<const unsigned*>(row + 64);
      }
      row += pitch;
    }
    if (r < 4) continue;
    int c[4] = {};  // the sums of pixels 2 part and 2 part + 1 of both chunks
    multiply(c, pixels[(r - 4) % kKept], pixels[(r - 3) % kKept], band[0], band[1]);
    multiply(c, pixels[(r - 2) % kKept], pixels[(r - 1) % kKept], band[2], band[3]);
    multiply(c, pixels[r % kKept], band[4]);
    unsigned char* to = out + (y + r - 4) * w + x;
    bool inside = y + r - 4 < h;
    // A sum / 256 is its second byte.
    if (inside && near) *reinterpret_cast<unsigned short*>(to) = __byte_perm(c[0], c[1], 0x51);
    if (inside && far) *reinterpret_cast<unsigned short*>(to + 64) = __byte_perm(c[2], c[3], 0x51);
  }
}

__host__ __device__ Launch launch(int w, int h) {
  return {dim3((w + 511) / 512, (h + kRows - 1) / kRows), dim3(128)};
}
