// The twin without memory of a kernel that takes x `steps` times through x y + 0.25. It must do all
// the arithmetic, load nothing, and store nothing: out stays as it was.

__global__ void blend(const float* a, const float* b, float* out, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  //! begin
  float x = 0.001f * threadIdx.x, y = 0.5f;
  //! instead
  //! float x = a[i], y = b[i];
  //! end
  for (int s = 0; s < steps; ++s) x = fmaf(x, y, 0.25f);
  //! begin
  if (x == 12345.0f) out[i] = x;  // never: but the compiler does not know
  //! instead
  //! out[i] = x;
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
