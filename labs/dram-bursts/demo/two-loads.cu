// Two strided loads: each fetches every burst, and uses one half of it.

__global__ void split(const float* in, float* left, float* right, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  left[i] = in[2 * i];
  right[i] = in[2 * i + 1];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
