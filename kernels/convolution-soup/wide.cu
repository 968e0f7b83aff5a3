// Reference: 16-byte loads and stores, words without bank conflicts, everything unrolled.

__constant__ int weights[25] = {1, 3,  5,  4,  2, 4, 14, 20, 13, 5, 6, 22, 34,
                                20, 7, 5, 15, 21, 14, 6, 3, 8,  11, 8, 5};  // the sum is 256

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
    int sum[4] = {};
#pragma unroll
    for (int i = 0; i < 5; ++i) {
      const unsigned char* row = reinterpret_cast<const unsigned char*>(tile[threadIdx.y + i]);
      int window[8];
#pragma unroll
      for (int j = 0; j < 8; ++j) window[j] = row[4 * word + 14 + j];
#pragma unroll
      for (int p = 0; p < 4; ++p) {
#pragma unroll
        for (int j = 0; j < 5; ++j) sum[p] += weights[5 * i + j] * window[p + j];
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
