// Half-warps: the first 16 lanes of each warp do one job, the last 16 the other.

__device__ float smooth(float x, int steps) {
  for (int s = 0; s < steps; ++s) x = x * 0.5f + 0.25f;
  return x;
}

__device__ float rough(float x, int steps) {
  for (int s = 0; s < steps; ++s) x = x * x - 0.75f;
  return x;
}

__global__ void both(const float* in, float* out, int steps, int n) {
  int job = threadIdx.x / 16 % 2;
  int i = blockIdx.x * 128 + threadIdx.x / 32 * 16 + threadIdx.x % 16;
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
