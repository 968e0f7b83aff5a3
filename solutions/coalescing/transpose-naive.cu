// Transposes a matrix of n × n elements: row y, column x of `in` becomes row x, column y of `out`.

__global__ void transpose(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    //! begin
    out[y * n + x] = in[x * n + y];
    //! instead
    //! out[x * n + y] = in[y * n + x];
    //! end
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)};
}
