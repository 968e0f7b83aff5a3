// Reference: neighbouring lanes take neighbouring elements.

__global__ void twice(const float* in, float* out, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) out[i] = in[i] + in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
