// C = A × B, n × n floats, n a multiple of 16. B comes column by column: element (k, col) is b[col
// * n + k].

__global__ void product(const float* a, const float* b, float* c, int n) {
  //! begin
  __shared__ float as[16][16], bs[16][17];  // bs[x][k]: row x of the tile is a column of B
  //! instead
  //! __shared__ float as[16][16], bs[16][16];
  //! end
  int tx = threadIdx.x, ty = threadIdx.y;
  int left = blockIdx.x * 16;
  int row = blockIdx.y * 16 + ty;
  float sum = 0.0f;
  for (int t = 0; t < n; t += 16) {
    as[ty][tx] = a[row * n + t + tx];
    //! begin
    bs[ty][tx] = b[(left + ty) * n + t + tx];
    //! instead
    //! bs[ty][tx] = b[(left + tx) * n + t + ty];
    //! end
    __syncthreads();
    //! begin
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[tx][k];
    //! instead
    //! for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
    //! end
    __syncthreads();
  }
  c[row * n + left + tx] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(n / 16, n / 16), dim3(16, 16)};
}
