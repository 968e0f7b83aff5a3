// The ruler for memory: copies n floats, as fast as the chip can.

__global__ void copy(const float* in, float* out, int n) {
  //! begin
  int i = 4 * (256 * blockIdx.x + threadIdx.x);
  if (i + 4 <= n) {
    *reinterpret_cast<float4*>(out + i) = *reinterpret_cast<const float4*>(in + i);
  } else {
    for (; i < n; ++i) out[i] = in[i];  // the one to three elements at the end
  }
  //! end
}

__host__ __device__ Launch launch(int n) {
  return {dim3((n + 1023) / 1024), dim3(256)};
}
