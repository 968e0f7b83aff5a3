// The first group is done whole: elements before the slice are overwritten.

__global__ void add(const float* a, const float* b, float* out, int first, int n) {
  int i = first / 4 * 4 + 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  int end = first + n;
  if (i + 4 <= end) {
    float4 u = *reinterpret_cast<const float4*>(a + i);
    float4 v = *reinterpret_cast<const float4*>(b + i);
    *reinterpret_cast<float4*>(out + i) = make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w);
  } else {
    for (; i < end; ++i) out[i] = a[i] + b[i];
  }
}

__host__ __device__ Launch launch(int first, int n) {
  return {dim3((first % 4 + n + 1023) / 1024), dim3(256)};  // four elements per thread
}
