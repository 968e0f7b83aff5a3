// A tone curve, applied `steps` times: x becomes 0.4 + 0.3 x - 0.2 x x.

__global__ void tone(const float* in, float* out, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  //! begin
  for (int s = 0; s < steps; ++s) x = 0.4f + 0.3f * x - 0.2f * x * x;
  //! instead
  //! for (int s = 0; s < steps; ++s) x = 0.4 + 0.3 * x - 0.2 * x * x;
  //! end
  out[i] = x;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
