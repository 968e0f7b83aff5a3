// Reference: two jobs for each element: a smooth value and a rough one. `out` holds n smooth values, then n rough ones.
// A block of 256 threads does both jobs for 128 elements.

__device__ float smooth(float x, int steps) {
  for (int s = 0; s < steps; ++s) x = x * 0.5f + 0.25f;
  return x;
}

__device__ float rough(float x, int steps) {
  for (int s = 0; s < steps; ++s) x = x * x - 0.75f;
  return x;
}

__global__ void both(const float* in, float* out, int steps, int n) {
  int job = threadIdx.x / 128;
  int i = blockIdx.x * 128 + threadIdx.x % 128;
  if (i >= n) return;
  if (job == 0) {
    out[i] = smooth(in[i], steps);
  } else {
    out[n + i] = rough(in[i], steps);
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 127) / 128), dim3(256)};
}
