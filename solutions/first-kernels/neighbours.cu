// Smooths n samples: out[i] = (left + 2 · in[i] + right) / 4. At the two ends the missing neighbour counts as in[i] itself.

__global__ void smooth(const float* in, float* out, int n) {
  //! begin
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float left = i > 0 ? in[i - 1] : in[i];
  float right = i < n - 1 ? in[i + 1] : in[i];
  out[i] = (left + 2.0f * in[i] + right) / 4.0f;
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
