// A 5 × 5 convolution of 8-bit pixels. Pixel (x, y) of the input is at in[(y + 2) * pitch + x + 256]:
// the image has a margin on all sides, so that nobody needs to think about borders.
// w is a multiple of 16.

__constant__ int weights[25] = {1, 3,  5,  4,  2, 4, 14, 20, 13, 5, 6, 22, 34,
                                20, 7, 5, 15, 21, 14, 6, 3, 8,  11, 8, 5};  // the sum is 256

__global__ void convolve(const unsigned char* in, unsigned char* out, int w, int h, int pitch) {
  int left = 64 * blockIdx.x, top = 16 * blockIdx.y;  // of the block's 64 × 16 pixels
  __shared__ unsigned tile[20][18];  // words: from 4 pixels left of the block, 2 rows above it
  //! begin
  for (int r = threadIdx.y; r < min(20, h + 4 - top); r += 16) {
    const unsigned* row = reinterpret_cast<const unsigned*>(in + (top + r) * pitch + left + 252);
    for (int k = threadIdx.x; k < 18; k += 16) tile[r][k] = row[k];
  }
  __syncthreads();
  //! instead
  //! // Fill the tile, all threads together.
  //! end
  int x = left + 4 * threadIdx.x, y = top + threadIdx.y;
  //! begin
  if (x >= w || y >= h) return;
  //! end
  int sum[4] = {0, 0, 0, 0};
  for (int i = 0; i < 5; ++i) {
    const unsigned char* row =
        reinterpret_cast<const unsigned char*>(tile[threadIdx.y + i]) + 4 * threadIdx.x + 2;
    for (int j = 0; j < 8; ++j) {
      for (int p = 0; p < 4; ++p) {
        if (j >= p && j < p + 5) sum[p] += weights[5 * i + j - p] * row[j];
      }
    }
  }
  *reinterpret_cast<uchar4*>(out + y * w + x) =
      make_uchar4(sum[0] / 256, sum[1] / 256, sum[2] / 256, sum[3] / 256);
}

__host__ __device__ Launch launch(int w, int h) {
  return {dim3((w + 63) / 64, (h + 15) / 16), dim3(16, 16)};
}
