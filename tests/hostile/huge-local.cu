// expect broken,failed,limit: a gigabyte for each thread
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int much[1 << 28]; for (int j = 0; j < n; ++j) much[(i * j) & ((1 << 28) - 1)] = j; out[i] = much[n];
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
