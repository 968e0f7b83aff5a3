// The store is atomic, but the load before it is another step.

__global__ void tally(const unsigned char* image, unsigned* count, unsigned* brightest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned b = image[i];
  atomicExch(&count[b], count[b] + 1u);
  atomicMax(brightest, b);
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
