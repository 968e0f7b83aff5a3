// 8 bytes a thread: half way.

__global__ void copy(const float* in, float* out, int n) {
  int i = 2 * (256 * blockIdx.x + threadIdx.x);
  if (i + 2 <= n) {
    *reinterpret_cast<float2*>(out + i) = *reinterpret_cast<const float2*>(in + i);
  } else {
    for (; i < n; ++i) out[i] = in[i];  // the one element at the end
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 511) / 512), dim3(256)};
}
