// expect broken,failed: it closes the kernel in PTX and opens another one
__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("ret; } .visible .entry other() {"); if (i < n) out[i] = 2 * in[i];
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }
