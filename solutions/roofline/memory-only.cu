// The twin without arithmetic of a kernel that takes x `steps` times through x y + 0.25. It must
// load and store what the kernel does; so that no load is left out, it stores a[i] + b[i].

__global__ void blend(const float* a, const float* b, float* out, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = a[i], y = b[i];
  //! begin
  out[i] = x + y;
  //! instead
  //! for (int s = 0; s < steps; ++s) x = fmaf(x, y, 0.25f);
  //! out[i] = x;
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
