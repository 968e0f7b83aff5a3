// Four elements a thread, but one at a time: as many requests as before, each now over 16 sectors.

__global__ void add(const float* a, const float* b, float* out, int first, int n) {
  int i = first / 4 * 4 + 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  int end = first + n;
  if (i >= first && i + 4 <= end) {
    for (int k = 0; k < 4; ++k) out[i + k] = a[i + k] + b[i + k];
  } else {
    for (int k = max(i, first); k < min(i + 4, end); ++k) out[k] = a[k] + b[k];
  }
}

__host__ __device__ Launch launch(int first, int n) {
  return {dim3((first % 4 + n + 1023) / 1024), dim3(256)};  // four elements per thread
}
