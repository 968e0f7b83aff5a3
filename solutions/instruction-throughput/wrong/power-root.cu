// No powf, but a correctly rounded root and division: sequences of instructions as well.

__global__ void pull(const float* place, const float* mass, float* force, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = place[i], sum = 0.0f;
  for (int j = 0; j < n; ++j) {
    float d = place[j] - x;
    float square = d * d + 0.01f;
    float root = sqrtf(square);
    sum += mass[j] * d / (root * root * root);
  }
  force[i] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 127) / 128), dim3(128)};
}
