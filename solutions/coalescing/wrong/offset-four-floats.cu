// Aligned to 4 floats, which are 16 bytes: a sector has 32.

__global__ void twice_payload(const float* in, float* out, int first, int n) {
  int start = first / 4 * 4;
  int i = start + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= first && i < n) out[i] = 2.0f * in[i];
}

// A thread for each element, the header's too.
__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
