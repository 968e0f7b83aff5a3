// Reference: the blocks of a row of the grid take the tiles of a diagonal.

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int left = 32 * blockIdx.x;
  int top = 32 * ((blockIdx.x + gridDim.x - blockIdx.y) % gridDim.x);
  for (int row = threadIdx.y; row < 32; row += 8) {
    int x = left + threadIdx.x, y = top + row;
    if (x < n && y < n) tile[row][threadIdx.x] = in[y * n + x];
  }
  __syncthreads();
  for (int column = threadIdx.y; column < 32; column += 8) {
    int x = top + threadIdx.x, y = left + column;
    if (x < n && y < n) out[y * n + x] = tile[threadIdx.x][column];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 8)};
}
