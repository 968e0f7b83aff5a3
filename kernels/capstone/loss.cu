// Reference: a block reads its row twice, for the maximum and for the sum.

constexpr float kLowest = -3.4e38f;  // below every number here; less any of them, its exponential is 0

__global__ void loss(const float* logits, const int* target, float* out, int n) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  const float* x = logits + (size_t)blockIdx.x * n;
  float most = kLowest, sum = 0.0f;
  for (int i = t; i < n; i += 256) most = fmaxf(most, x[i]);
  part[t] = most;
  for (int half = 128; half; half /= 2) {
    __syncthreads();
    if (t < half) part[t] = fmaxf(part[t], part[t + half]);
  }
  __syncthreads();
  most = part[0];
  __syncthreads();
  for (int i = t; i < n; i += 256) sum += expf(x[i] - most);
  part[t] = sum;
  for (int half = 128; half; half /= 2) {
    __syncthreads();
    if (t < half) part[t] += part[t + half];
  }
  if (t == 0) out[blockIdx.x] = most + logf(part[0]) - x[target[blockIdx.x]];
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3(rows), dim3(256)};
}
