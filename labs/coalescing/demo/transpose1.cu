// One loop over the rows becomes the grid: a thread walks down
// a column.

__global__ void transpose(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < n; ++j) {
    out[i * n + j] = in[j * n + i];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
