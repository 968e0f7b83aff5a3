// Each thread counts 64 neighbouring pixels: lanes are 64 bytes apart.

constexpr int kEach = 64;

__global__ void histogram(const unsigned char* image, unsigned* count, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < kEach; ++k) {
    int i = (blockIdx.x * 256 + threadIdx.x) * kEach + k;
    if (i < n) atomicAdd(&bins[image[i]], 1u);
  }
  __syncthreads();
  atomicAdd(&count[threadIdx.x], bins[threadIdx.x]);
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 256 * kEach - 1) / (256 * kEach)), dim3(256)};
}
