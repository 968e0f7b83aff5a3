// Where does x = x x / 2 + c / 2 come to after some steps? A thread does four c's, 256 apart.

__global__ void settle(const float* c, float* out, int n, int steps) {
  int first = 1024 * blockIdx.x + threadIdx.x;
  float half[4], x[4] = {};
  for (int e = 0; e < 4; ++e) half[e] = first + 256 * e < n ? 0.5f * c[first + 256 * e] : 0.0f;
  //! begin
#pragma unroll 8
  for (int s = 0; s < steps; ++s) {
#pragma unroll
    for (int e = 0; e < 4; ++e) x[e] = fmaf(0.5f * x[e], x[e], half[e]);
  }
  //! instead
  //! #pragma unroll
  //! for (int e = 0; e < 4; ++e) {
  //! #pragma unroll 8
  //!   for (int s = 0; s < steps; ++s) x[e] = fmaf(0.5f * x[e], x[e], half[e]);
  //! }
  //! end
  for (int e = 0; e < 4; ++e) {
    if (first + 256 * e < n) out[first + 256 * e] = x[e];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 1023) / 1024), dim3(256)};
}
