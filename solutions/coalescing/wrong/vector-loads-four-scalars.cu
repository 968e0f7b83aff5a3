// Four elements a thread, but one at a time: as many requests as before, each now over 16 sectors.

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 4 <= n) {
    for (int k = 0; k < 4; ++k) out[i + k] = a[i + k] + b[i + k];
  } else {
    for (; i < n; ++i) out[i] = a[i] + b[i];  // the last one to three elements
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 1023) / 1024), dim3(256)};  // four elements per thread
}
