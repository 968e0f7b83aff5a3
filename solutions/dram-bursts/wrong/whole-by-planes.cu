// A thread for each byte: neighbours write neighbours, but the planes are read in turns.

__global__ void pack(const unsigned char* red, const unsigned char* green,
                     const unsigned char* blue, unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned char* planes[3] = {red, green, blue};
  for (int c = 0; c < 4; ++c) {
    int place = blockIdx.x * 4 * blockDim.x + c * blockDim.x + threadIdx.x;
    if (place < 4 * n) out[place] = place % 4 == 3 ? 255 : planes[place % 4][place / 4];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
