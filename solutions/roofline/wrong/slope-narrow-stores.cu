// The load is wide, the stores are not.

__global__ void copy(const float* in, float* out, int n) {
  int i = 4 * (256 * blockIdx.x + threadIdx.x);
  if (i + 4 <= n) {
    float4 v = *reinterpret_cast<const float4*>(in + i);
    out[i] = v.x;
    out[i + 1] = v.y;
    out[i + 2] = v.z;
    out[i + 3] = v.w;
  } else {
    for (; i < n; ++i) out[i] = in[i];  // the one to three elements at the end
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 1023) / 1024), dim3(256)};
}
