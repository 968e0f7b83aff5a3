// A 5 × 5 convolution of 8-bit pixels. Pixel (x, y) of the input is at in[(y + 2) * pitch + x + 256]:
// the image has a margin on all sides, so that nobody needs to think about borders.
// w is a multiple of 16.

__constant__ int weights[25] = {1, 3,  5,  4,  2, 4, 14, 20, 13, 5, 6, 22, 34,
                                20, 7, 5, 15, 21, 14, 6, 3, 8,  11, 8, 5};  // the sum is 256

__global__ void convolve(const unsigned char* in, unsigned char* out, int w, int h, int pitch) {
  //! begin
  int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int sum[4] = {0, 0, 0, 0};
  for (int i = 0; i < 5; ++i) {
    const unsigned char* row = in + (y + i) * pitch + x + 254;
    for (int j = 0; j < 8; ++j) {
      int value = row[j];  // of the window of up to four pixels
      for (int p = 0; p < 4; ++p) {
        if (j >= p && j < p + 5) sum[p] += weights[5 * i + j - p] * value;
      }
    }
  }
  *reinterpret_cast<uchar4*>(out + y * w + x) =
      make_uchar4(sum[0] / 256, sum[1] / 256, sum[2] / 256, sum[3] / 256);
  //! instead
  //!
  //! end
}

__host__ __device__ Launch launch(int w, int h) {
  return {dim3((w + 63) / 64, (h + 15) / 16), dim3(16, 16)};  // four pixels a thread
}
