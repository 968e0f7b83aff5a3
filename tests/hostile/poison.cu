// expect failed: it writes patterns that a checker might use as poison
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __int_as_float(0xA5A5A5A5);
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
