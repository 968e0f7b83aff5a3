// Reference: all warps work side by side and step on together.

__global__ void twice(const float* in, float* out, int n) {
  int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) out[i] = 2.0f * in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3(30), dim3(256)};
}
