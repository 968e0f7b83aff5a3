// One thread packs the row alone, in order: 255 threads watch.

__global__ void keep_positive(const int* in, int* out, int* counts) {
  if (threadIdx.x > 0) return;
  int at = 0;
  for (int k = 0; k < 1024; ++k) {
    int v = in[blockIdx.x * 1024 + k];
    if (v > 0) out[blockIdx.x * 1024 + at++] = v;
  }
  counts[blockIdx.x] = at;
}

__host__ __device__ Launch launch(int rows) {
  return {dim3(rows), dim3(256)};
}
