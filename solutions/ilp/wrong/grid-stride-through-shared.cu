// Each element takes a way through shared memory: its load must be over before it can be read there.

__global__ void square(const float* in, float* out, int n) {
  __shared__ volatile float kept[256];
  int threads = gridDim.x * blockDim.x;
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  for (; i + 3 * threads < n; i += 4 * threads) {
    kept[t] = in[i];
    float a = kept[t];
    out[i] = a * a;
    kept[t] = in[i + threads];
    float b = kept[t];
    out[i + threads] = b * b;
    kept[t] = in[i + 2 * threads];
    float c = kept[t];
    out[i + 2 * threads] = c * c;
    kept[t] = in[i + 3 * threads];
    float d = kept[t];
    out[i + 3 * threads] = d * d;
  }
  for (; i < n; i += threads) out[i] = in[i] * in[i];
}

__host__ __device__ Launch launch(int n) {
  int blocks = (n + 255) / 256;
  return {dim3(blocks < 264 ? blocks : 264), dim3(256)};
}
