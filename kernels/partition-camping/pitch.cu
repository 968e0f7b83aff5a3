// Reference: rows of the result are an odd number of 64 floats apart.

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int pitch = 64 * ((n + 63) / 64 | 1);
  int left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int row = threadIdx.y; row < 32; row += 8) {
    int x = left + threadIdx.x, y = top + row;
    if (x < n && y < n) tile[row][threadIdx.x] = in[y * n + x];
  }
  __syncthreads();
  for (int column = threadIdx.y; column < 32; column += 8) {
    int x = top + threadIdx.x, y = left + column;
    if (x < n && y < n) out[y * pitch + x] = tile[threadIdx.x][column];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 8)};
}
