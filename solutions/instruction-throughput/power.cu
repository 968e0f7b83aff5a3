// n bodies on a line pull each other: force[i] is the sum over all j of
// mass[j] d / (d d + 0.01)^1.5, with d = place[j] - place[i].

__global__ void pull(const float* place, const float* mass, float* force, int n) {
  //! begin
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = place[i], sum = 0.0f;
  for (int j = 0; j < n; ++j) {
    float d = place[j] - x;
    float square = d * d + 0.01f;
    float inverse = rsqrtf(square);
    sum += mass[j] * d * (inverse * inverse * inverse);
  }
  force[i] = sum;
  //! instead
  //!
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 127) / 128), dim3(128)};
}
