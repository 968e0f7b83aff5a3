// Reference: counts how often each brightness occurs in an image, and finds the brightest pixel's.

__global__ void tally(const unsigned char* image, unsigned* count, unsigned* brightest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned b = image[i];
  atomicAdd(&count[b], 1u);
  atomicMax(brightest, b);
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
