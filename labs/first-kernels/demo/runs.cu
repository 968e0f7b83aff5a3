// Each thread takes its elements in one piece, as one would on a CPU.

__global__ void axpy(float a, const float* x, float* y, int n) {
  int threads = gridDim.x * blockDim.x;
  int each = (n + threads - 1) / threads;
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (int i = first; i < first + each && i < n; ++i) y[i] = a * x[i] + y[i];
}

__host__ __device__ Launch launch(int blocks) {
  return {dim3(blocks), dim3(256)};
}
