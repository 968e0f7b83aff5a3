// Runs each element through `steps` steps of one of two formulas: which one depends on its sign.

__global__ void develop(const float* in, float* out, int steps, int n) {
  //! begin
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  float factor = x < 0.0f ? -0.5f : 0.75f;
  float offset = x < 0.0f ? 0.125f : 0.25f;
  for (int s = 0; s < steps; ++s) x = x * factor + offset;
  out[i] = x;
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
