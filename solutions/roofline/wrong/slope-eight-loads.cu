// Eight loads of 4 bytes before the first store: many bytes in flight, in many requests.

__global__ void copy(const float* in, float* out, int n) {
  int first = 2048 * blockIdx.x + threadIdx.x;
  float v[8];
  for (int e = 0; e < 8; ++e) v[e] = first + 256 * e < n ? in[first + 256 * e] : 0.0f;
  for (int e = 0; e < 8; ++e) {
    if (first + 256 * e < n) out[first + 256 * e] = v[e];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 2047) / 2048), dim3(256)};
}
