// Reference: a block reads its row three times, for the maximum, for the sum and for the results.

constexpr float kLowest = -3.4e38f;  // below every number here; less any of them, its exponential is 0

__global__ void softmax(const float* in, float* out, int n) {
  __shared__ float part[256];
  const int t = threadIdx.x, row = blockIdx.x * n;
  float most = kLowest, sum = 0.0f;
  for (int i = t; i < n; i += 256) most = fmaxf(most, in[row + i]);
  part[t] = most;
  for (int half = 128; half; half /= 2) {
    __syncthreads();
    if (t < half) part[t] = fmaxf(part[t], part[t + half]);
  }
  __syncthreads();
  most = part[0];
  __syncthreads();
  for (int i = t; i < n; i += 256) sum += expf(in[row + i] - most);
  part[t] = sum;
  for (int half = 128; half; half /= 2) {
    __syncthreads();
    if (t < half) part[t] += part[t + half];
  }
  __syncthreads();
  for (int i = t; i < n; i += 256) out[row + i] = expf(in[row + i] - most) / part[0];
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3(rows), dim3(256)};
}
