// A single flush, by a single block: 131 of the chip's 132 SMs have nothing to do.

__global__ void histogram(const unsigned char* image, unsigned* count, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&bins[image[i]], 1u);
  __syncthreads();
  atomicAdd(&count[threadIdx.x], bins[threadIdx.x]);
}

__host__ __device__ Launch launch(int n) { return {dim3(1), dim3(256)}; }
