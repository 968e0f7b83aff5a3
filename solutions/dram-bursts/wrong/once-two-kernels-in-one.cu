// One half of the blocks fetches left, the other right: every burst is fetched by both.

__global__ void split(const float* in, float* left, float* right, int n) {
  int i = blockIdx.x / 2 * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (blockIdx.x % 2 == 0) {
    left[i] = in[2 * i];
  } else {
    right[i] = in[2 * i + 1];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(2 * ((n + 255) / 256)), dim3(256)};
}
