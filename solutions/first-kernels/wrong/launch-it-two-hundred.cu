// Wrong: 200 threads are six groups of 32, and a seventh with eight.

__global__ void square(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 199) / 200), dim3(200)};
}
