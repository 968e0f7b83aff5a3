// Guards the start and forgets the end.

__global__ void twice_payload(const float* in, float* out, int first, int n) {
  int start = first / 32 * 32;  // the line of 32 floats in which the payload begins
  int i = start + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= first) out[i] = 2.0f * in[i];
}

// A thread for each element, the header's too.
__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
