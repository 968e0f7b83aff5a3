// Heat spreads on a torus: a field of `width` columns whose left edge is joined to its right one, and its top to its
// bottom. Each element keeps half of its heat and takes an eighth of each neighbour's. width and height are powers of two.

__global__ void spread(const float* in, float* out, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height) return;
  //! begin
  int shift = __ffs(width) - 1;  // width = 1 << shift
  int row = i >> shift;
  int column = i & (width - 1);
  int left = (column - 1) & (width - 1), right = (column + 1) & (width - 1);
  int up = (row - 1) & (height - 1), down = (row + 1) & (height - 1);
  //! instead
  //! int row = i / width;
  //! int column = i % width;
  //! int left = (column + width - 1) % width, right = (column + 1) % width;
  //! int up = (row + height - 1) % height, down = (row + 1) % height;
  //! end
  out[i] = 0.5f * in[i] + 0.125f * (in[row * width + left] + in[row * width + right] +
                                    in[up * width + column] + in[down * width + column]);
}

__host__ __device__ Launch launch(int width, int height) {
  return {dim3((width * height + 255) / 256), dim3(256)};
}
