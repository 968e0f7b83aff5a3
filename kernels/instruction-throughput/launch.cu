// Reference: the launch counts rows and columns.

__global__ void frame(const float* in, const float* rows, const float* columns, float* out,
                      int width, int height) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  int i = row * width + column;
  out[i] = in[i] + rows[row] + columns[column];
}

__host__ __device__ Launch launch(int width, int height) {
  return {dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)};
}
