// Wrong: a single block as large as it may be. The elements after the first 1,024 are never computed.

__global__ void square(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3(1), dim3(n < 1024 ? n : 1024)};
}
