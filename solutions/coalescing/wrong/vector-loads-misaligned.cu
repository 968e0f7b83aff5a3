// Forgets the factor 4: float4 loads from addresses that are no multiple of 16 bytes.

__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 4 <= n) {
    float4 u = *reinterpret_cast<const float4*>(a + i);
    float4 v = *reinterpret_cast<const float4*>(b + i);
    *reinterpret_cast<float4*>(out + i) = make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w);
  } else {
    for (; i < n; ++i) out[i] = a[i] + b[i];  // the last one to three elements
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 1023) / 1024), dim3(256)};  // four elements per thread
}
