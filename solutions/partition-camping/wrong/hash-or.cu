// Ors the digits: blocks pile up, and others stay empty.
// Transposes a matrix of n × n floats; n is a multiple of 64. The result is kept in blocks of 64
// floats, 256 bytes, and place() deals them out over the partitions.

// Where element i of the result lies.
__device__ int place(int i) {
  int block = i / 64;
  for (int turn = block / 8; turn != 0; turn /= 8) block |= turn % 8;
  return 64 * block + i % 64;
}

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8) {
    out[place((y + r) * n + x)] = tile[threadIdx.x][threadIdx.y + r];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 32, n / 32), dim3(32, 8)};
}
