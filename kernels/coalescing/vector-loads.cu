// Reference: threads 0 to 5 also do the elements before the first whole group and after the last.

__global__ void add(const float* a, const float* b, float* out, int first, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int end = first + n;
  int body = min((first + 3) / 4 * 4, end), tail = max(end / 4 * 4, body);
  if (int i = body + 4 * t; i < tail) {
    float4 u = *reinterpret_cast<const float4*>(a + i);
    float4 v = *reinterpret_cast<const float4*>(b + i);
    *reinterpret_cast<float4*>(out + i) = {u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w};
  }
  if (int i = t < 3 ? first + t : tail + t - 3; t < 6 && (t < 3 ? i < body : i < end)) out[i] = a[i] + b[i];
}

__host__ __device__ Launch launch(int first, int n) {
  return {dim3((first % 4 + n + 1023) / 1024), dim3(256)};  // four elements per thread
}
