// Reference: the partition of a block is the exclusive or of all digits of its number, three bits each.
__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int left = 32 * blockIdx.x, top = 32 * blockIdx.y;
  for (int row = threadIdx.y; row < 32; row += 8) {
    tile[row][threadIdx.x] = in[(top + row) * n + left + threadIdx.x];
  }
  __syncthreads();
  for (int column = threadIdx.y; column < 32; column += 8) {
    unsigned i = (left + column) * n + top + threadIdx.x, digits = i / 64, fold = 0;
    for (int bit = 0; bit < 32; bit += 3) fold ^= digits >> bit & 7;
    out[(digits / 8 * 8 + fold) * 64 + i % 64] = tile[threadIdx.x][column];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 32, n / 32), dim3(32, 8)};
}
