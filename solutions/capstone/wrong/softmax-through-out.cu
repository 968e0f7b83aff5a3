// Keeps the exponentials in out, and reads them again.

constexpr float kLowest = -3.4e38f;  // below every number here; less any of them, its exponential is 0

__global__ void softmax(const float* in, float* out, int n) {
  __shared__ float part[256];
  const int t = threadIdx.x, row = blockIdx.x * n;
  float most = kLowest, sum = 0.0f;
  // The first element instead of the maximum.
  most = in[row];
  part[t] = most;
  for (int half = 128; half; half /= 2) {
    __syncthreads();
    if (t < half) part[t] = fmaxf(part[t], part[t + half]);
  }
  __syncthreads();
  most = part[0];
  __syncthreads();
  for (int i = t; i < n; i += 256) {
    out[row + i] = expf(in[row + i] - most);
    sum += out[row + i];
  }
  part[t] = sum;
  for (int half = 128; half; half /= 2) {
    __syncthreads();
    if (t < half) part[t] += part[t + half];
  }
  __syncthreads();
  for (int i = t; i < n; i += 256) out[row + i] /= part[0];
}

__host__ __device__ Launch launch(int n, int rows) {
  return {dim3(rows), dim3(256)};
}
