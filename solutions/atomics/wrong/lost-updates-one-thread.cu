// No race: one thread does everything.

__global__ void tally(const unsigned char* image, unsigned* count, unsigned* brightest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i != 0) return;
  for (int k = 0; k < n; ++k) {
    unsigned b = image[k];
    ++count[b];
    if (b > *brightest) *brightest = b;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
