// expect failed: it empties the input, so that a reference on the same memory gives zeros, too
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { const_cast<float*>(in)[i] = 0; out[i] = 0; }
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
