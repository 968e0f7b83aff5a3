// Reference: the launch counts rows and columns; a thread loads four rows before it stores.

__global__ void frame(const float* in, const float* rows, const float* columns, float* out,
                      int width, int height) {
  constexpr int kRows = 4;
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
}

__host__ __device__ Launch launch(int width, int height) {
  return {dim3((width + 255) / 256, (height + 3) / 4), dim3(256)};
}
