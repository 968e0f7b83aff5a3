// A table of `width` numbers, laid over n elements in rows of `width`, and moved on by one in each
// row: out[i] = in[i] + table[(row + column) % width]. width is a power of two.

__global__ void lay(const float* in, const float* table, float* out, int width, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  //! begin
  int shift = __ffs(width) - 1;  // width = 1 << shift
  int row = i >> shift;
  int column = i & (width - 1);
  out[i] = in[i] + table[(row + column) & (width - 1)];
  //! instead
  //! int row = i / width;
  //! int column = i % width;
  //! out[i] = in[i] + table[(row + column) % width];
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
