// Adds a number to each row and another to each column of a matrix of `width` columns.

__global__ void frame(const float* in, const float* rows, const float* columns, float* out,
                      int width, int height) {
  //! begin
  constexpr int kRows = 4;  // rows per thread, one below the other
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = kRows * blockIdx.y;
  if (column >= width) return;
  float element[kRows], add[kRows];
#pragma unroll
  for (int r = 0; r < kRows; ++r) {  // all loads before the first store
    if (row + r >= height) continue;
    element[r] = in[(row + r) * width + column];
    add[r] = rows[row + r];
  }
  float more = columns[column];
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    if (row + r < height) out[(row + r) * width + column] = element[r] + add[r] + more;
  }
  //! instead
  //! int i = blockIdx.x * blockDim.x + threadIdx.x;
  //! if (i >= width * height) return;
  //! int row = i / width;
  //! int column = i % width;
  //! out[i] = in[i] + rows[row] + columns[column];
  //! end
}

__host__ __device__ Launch launch(int width, int height) {
  //! begin
  return {dim3((width + 255) / 256, (height + 3) / 4), dim3(256)};
  //! instead
  //! return {dim3((width * height + 255) / 256), dim3(256)};
  //! end
}
