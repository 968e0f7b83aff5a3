// Transposes a matrix of n × n floats. Block (bx, by) does tile (bx, by); who is block (bx, by)?

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  //! begin
  int by = blockIdx.x;
  int bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  //! instead
  //! int by = blockIdx.y;
  //! int bx = blockIdx.x;
  //! end
  int x = bx * 32 + threadIdx.x;
  int y = by * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) {
    if (x < n && y + r < n) tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * n + x];
  }
  __syncthreads();
  x = by * 32 + threadIdx.x;
  y = bx * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) {
    if (x < n && y + r < n) out[(y + r) * n + x] = tile[threadIdx.x][threadIdx.y + r];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 8)};
}
