// expect failed,limit: more blocks than anybody can wait for
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

__host__ __device__ Launch launch(int n) { return {dim3(2147483647, 65535, 65535), dim3(1024)}; }
