// Every lane adds its own 1.

__global__ void histogram(const unsigned* value, unsigned* count, int shift, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&count[min(value[i] >> shift, 65535u)], 1u);
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
