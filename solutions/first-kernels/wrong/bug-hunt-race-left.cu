// Wrong: the barrier is still missing.

__global__ void mean(const float* in, float* out, int n) {
  __shared__ float tile[288];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  tile[t + 16] = i < n ? in[i] : 0.0f;
  if (t < 16) tile[t] = i >= 16 ? in[i - 16] : 0.0f;
  if (t >= 240) tile[t + 32] = i + 16 < n ? in[i + 16] : 0.0f;
  float sum = 0.0f;
  for (int k = 0; k < 33; ++k) sum += tile[t + k];
  if (i < n) out[i] = sum / 33.0f;
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 255) / 256), dim3(256)};
}
