// The constants are floats, but the variable in the loop is a double.

__global__ void tone(const float* in, float* out, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double x = in[i];
  for (int s = 0; s < steps; ++s) x = 0.4f + 0.3f * x - 0.2f * x * x;
  out[i] = x;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
