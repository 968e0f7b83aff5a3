// expect failed: threads that write the same words
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { out[i] = 2 * in[i]; __syncthreads(); __shared__ float s[2]; s[i & 1] = in[i]; out[i] = s[(i + 1) & 1]; }
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
