// Reference: thread i owns element i, whatever the header's length, so every warp starts on a line.

__global__ void twice_payload(const float* in, float* out, int first, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (first <= i && i < n) out[i] = in[i] + in[i];
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
