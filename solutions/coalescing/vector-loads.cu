// Adds slices of two arrays: out[i] = a[i] + b[i] for the n elements from `first` on.

__global__ void add(const float* a, const float* b, float* out, int first, int n) {
  //! begin
  int i = first / 4 * 4 + 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  int end = first + n;
  if (i >= first && i + 4 <= end) {
    float4 u = *reinterpret_cast<const float4*>(a + i);
    float4 v = *reinterpret_cast<const float4*>(b + i);
    *reinterpret_cast<float4*>(out + i) = make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w);
  } else {
    for (int k = max(i, first); k < min(i + 4, end); ++k) out[k] = a[k] + b[k];
  }
  //! instead
  //! // Your kernel. Its launch is below: one thread per group of four that the slice touches.
  //! end
}

__host__ __device__ Launch launch(int first, int n) {
  return {dim3((first % 4 + n + 1023) / 1024), dim3(256)};  // four elements per thread
}
