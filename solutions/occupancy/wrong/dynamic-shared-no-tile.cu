// No shared memory at all: every window is read from global memory.

__global__ void window_sums(const float* in, float* out, int r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = i - r; k <= i + r; ++k) {
    if (k >= 0 && k < n) sum += in[k];
  }
  out[i] = sum;
}

__host__ __device__ Launch launch(int n, int r) { return {dim3((n + 255) / 256), dim3(256)}; }
