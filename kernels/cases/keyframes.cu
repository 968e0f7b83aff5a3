// Case 7: every 32nd number is refined in 512 steps, the others in 16.

__global__ void kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * 1024 + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  const int steps = i % 32 == 0 ? 512 : 16;
  for (int step = 0; step < steps; ++step) x = x * x - 0.5f;
  out[i] = x;
}
