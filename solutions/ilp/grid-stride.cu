// out[i] = in[i] in[i]. A grid of at most 264 blocks goes over all elements, however many there
// are.

__global__ void square(const float* in, float* out, int n) {
  //! begin
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * threads < n; i += 4 * threads) {
    float v[4];
    for (int e = 0; e < 4; ++e) v[e] = in[i + e * threads];
    for (int e = 0; e < 4; ++e) out[i + e * threads] = v[e] * v[e];
  }
  for (; i < n; i += threads) out[i] = in[i] * in[i];
  //! end
}

__host__ __device__ Launch launch(int n) {
  int blocks = (n + 255) / 256;
  return {dim3(blocks < 264 ? blocks : 264), dim3(256)};
}
