// volatile keeps the compiler from dropping accesses. It does not make three steps one.

__global__ void tally(const unsigned char* image, volatile unsigned* count, volatile unsigned* brightest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned b = image[i];
  count[b] = count[b] + 1u;
  if (b > *brightest) *brightest = b;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
