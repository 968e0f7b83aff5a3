// Runs each element through `steps` steps of one of two formulas: which one depends on its sign.

__global__ void develop(const float* in, float* out, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  if (x < 0.0f) {
    for (int s = 0; s < steps; ++s) x = x * -0.5f + 0.125f;
  } else {
    for (int s = 0; s < steps; ++s) x = x * 0.75f + 0.25f;
  }
  out[i] = x;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
