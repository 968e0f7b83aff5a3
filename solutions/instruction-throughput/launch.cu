// Adds a number to each row and another to each column of a matrix of `width` columns.

__global__ void frame(const float* in, const float* rows, const float* columns, float* out,
                      int width, int height) {
  //! begin
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  int i = row * width + column;
  //! instead
  //! int i = blockIdx.x * blockDim.x + threadIdx.x;
  //! if (i >= width * height) return;
  //! int row = i / width;
  //! int column = i % width;
  //! end
  out[i] = in[i] + rows[row] + columns[column];
}

__host__ __device__ Launch launch(int width, int height) {
  //! begin
  return {dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)};
  //! instead
  //! return {dim3((width * height + 255) / 256), dim3(256)};
  //! end
}
