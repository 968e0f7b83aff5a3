// Counts how often each brightness occurs in an image. A block has 256 threads and 4,096 pixels.

__global__ void histogram(const unsigned char* image, unsigned* count, int n) {
  //! begin
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < 16; ++k) {
    int i = blockIdx.x * 4096 + k * 256 + threadIdx.x;
    if (i < n) atomicAdd(&bins[image[i]], 1u);
  }
  __syncthreads();
  atomicAdd(&count[threadIdx.x], bins[threadIdx.x]);
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 4095) / 4096), dim3(256)};
}
